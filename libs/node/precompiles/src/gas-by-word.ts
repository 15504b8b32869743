/** Gas of a base and a price for each 32 bytes begun. Source: Yellow Paper, appendix E. */
export function gasByWord(base: number, word: number): (input: Uint8Array) => number {
  return (input) => base + word * Math.ceil(input.length / 32);
}
