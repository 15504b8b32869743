/** Where a transaction is in the chain. */
export interface Place {
  readonly blockNumber: number;
  readonly index: number;
}

/** Transactions that a block may have, which is more than fit into any. */
const OF_BLOCK = 2 ** 20;

/** A place as one number, in the order of the chain; below 2^53 for blocks below 2^33. */
export function numberOfPlace({ blockNumber, index }: Place): number {
  return blockNumber * OF_BLOCK + index;
}

/** Where a block begins, as one number: the largest one for heights that no chain reaches, which callers may name. */
export function startOfBlock(blockNumber: number): number {
  return Math.min(numberOfPlace({ blockNumber, index: 0 }), Number.MAX_SAFE_INTEGER);
}

/** The place of a number of `numberOfPlace`. */
export function placeOfNumber(number: number): Place {
  return { blockNumber: Math.floor(number / OF_BLOCK), index: number % OF_BLOCK };
}
