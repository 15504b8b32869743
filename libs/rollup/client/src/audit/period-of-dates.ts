import { OperatorError } from '@tetrad/types';
import { acceptedBatches } from '../chain/accepted-batches.js';
import type { RollupContract } from '../chain/rollup-contract.js';

/** One end of a period: a batch, or a moment in seconds. */
export type PeriodEnd = { readonly height: number } | { readonly time: number };

/**
 * The batches of a period that may be given by dates.
 *
 * @param contract - that accepted them
 * @param ends - the first and the last batch, or moments: the period holds the batches from the first until before the second
 * @param fromBlock - of the contract's creation, or one before
 * @returns heights of the first and the last batch
 * @throws OperatorError when there is no batch between the moments; as `acceptedBatches`
 */
export async function periodOf(
  contract: RollupContract,
  { from, to }: { readonly from: PeriodEnd; readonly to: PeriodEnd },
  fromBlock: number,
): Promise<{ readonly from: number; readonly to: number }> {
  if ('height' in from && 'height' in to) return { from: from.height, to: to.height };
  let block = { number: -1, time: 0 };
  let first: number | undefined;
  let last: number | undefined;
  const toBlock = await contract.client.blockNumber();
  for await (const { height, blockNumber } of acceptedBatches(contract, { fromBlock, toBlock })) {
    if (block.number !== blockNumber)
      block = { number: blockNumber, time: await timeOf(contract, blockNumber) };
    const isAfterBegin = 'height' in from ? height >= from.height : block.time >= from.time;
    const isBeforeEnd = 'height' in to ? height <= to.height : block.time < to.time;
    if (isAfterBegin) first ??= height;
    if (isBeforeEnd) last = height;
  }
  if (first === undefined || last === undefined || last < first)
    throw new OperatorError('--from, --to: the contract accepted no batch in this period');
  return { from: first, to: last };
}

async function timeOf({ client }: RollupContract, blockNumber: number): Promise<number> {
  const block = await client.block(blockNumber);
  if (block === undefined) throw new OperatorError(`the Ethereum client does not have block ${blockNumber}`);
  return block.timestamp;
}
