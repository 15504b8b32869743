/** Ids of the tokens that leave a rollup; undefined for all. */
export type WantedTokens = ReadonlySet<number> | undefined;

/**
 * Whether a token is one of those that leave.
 *
 * @param tokens - those that leave
 * @param tokenId - the token
 * @returns true for each token without a choice
 */
export function isWanted(tokens: WantedTokens, tokenId: number): boolean {
  return tokens?.has(tokenId) ?? true;
}
