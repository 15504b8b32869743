/** Source: GoQuorum's documentation, "Privacy enhancements" */
const FLAGS: Readonly<Record<number, string>> = {
  0: 'standard private',
  1: 'counterparty protection',
  2: 'mandatory party protection',
  3: 'private state validation',
};

/** How a private contract is protected. */
export const flagInWords = (flag: number): string => `${FLAGS[flag] ?? 'unknown flag'} (${flag})`;
