/** A block of more transactions than this is followed by one that waits longer. */
const BUSY_SIZE = 32;
/** Beyond this, no block waits for more transactions. Units: ms */
const MAX_BUSY_BLOCK_TIME_MS = 400;

/**
 * Time from a block to the next of the same minter, in ms. Each block costs every node a transaction of its database and
 * new hashes up to the root, whatever its size; under load, blocks become fewer and larger instead.
 */
export function blockTimeAfter(size: number, blockTimeMs: number): number {
  const busyMs = Math.min((blockTimeMs * size) / BUSY_SIZE, MAX_BUSY_BLOCK_TIME_MS);
  return Math.max(blockTimeMs, busyMs);
}
