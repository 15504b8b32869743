import { ORDER_TREE_DEPTH, treeOfLeaves } from '@tetrad/rollup-state';
import { acceptedBatches, type MinedBatch } from '../chain/accepted-batches.js';
import type { RollupContract } from '../chain/rollup-contract.js';
import { DisclosureError } from './disclosure-error.js';
import type { ViewPeriod } from './view-key.js';

/**
 * Each batch of a period, without a gap, its orders those of its root.
 *
 * @param contract - that accepted them
 * @param period - heights, and blocks in which the first and the last are
 * @param options - as `acceptedBatches`
 * @yields the batches in order
 * @throws DisclosureError when the client does not have all of them in these blocks; as `acceptedBatches`
 */
export async function* readPeriod(
  contract: RollupContract,
  { from, to, fromBlock, toBlock }: ViewPeriod,
  { onPage }: { onPage?(block: number): void } = {},
): AsyncGenerator<MinedBatch> {
  const pages = { fromBlock, toBlock, ...(onPage === undefined ? {} : { onPage }) };
  let next = from;
  for await (const batch of acceptedBatches(contract, pages)) {
    // The blocks may hold others before the first and after the last.
    if (batch.height < from || batch.height > to) continue;
    if (batch.height !== next) throw missing(next);
    if (treeOfLeaves(ORDER_TREE_DEPTH, batch.orders.entries()).root !== batch.ordersRoot)
      throw new DisclosureError(`batch ${next}`, 'the client shows other orders than those of its root');
    yield batch;
    next += 1;
  }
  if (next !== to + 1) throw missing(next);

  function missing(height: number): DisclosureError {
    return new DisclosureError(
      `batch ${height}`,
      `the client does not have it in blocks ${fromBlock} to ${toBlock}`,
    );
  }
}
