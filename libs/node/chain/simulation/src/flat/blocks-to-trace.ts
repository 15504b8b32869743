import type { TraceCriteria } from '@tetrad/api-node';
import type { Ledger } from '@tetrad/node-ledger';
import { RequestError, TimeSlices, ZERO_ADDRESS, type Address } from '@tetrad/types';
import type { BlockRange } from './find-traces.js';

/** An index of the blocks whose transactions name an address. */
export interface BlocksByAddress {
  /**
   * In ascending order; undefined when they are more than `most`, or when the index does not have the range with all calls.
   * @param range.assertGoesOn - throws when the search is to end
   */
  find(
    addresses: readonly Address[],
    range: BlockRange & { readonly most: number; readonly assertGoesOn: () => void },
  ): Promise<readonly number[] | undefined>;
}

/**
 * The blocks of a range whose traces may match: those of an index, or all of them.
 * @param source.most - blocks that are traced at most
 * @param source.assertGoesOn - throws when the search is to end
 * @throws RequestError TRACE_LIMIT_EXCEEDED; as `source.assertGoesOn`
 */
export async function blocksToTrace(
  criteria: TraceCriteria,
  range: BlockRange,
  source: {
    readonly index: BlocksByAddress | undefined;
    readonly rules: Pick<Ledger['rules'], 'rewardOf'>;
    readonly most: number;
    readonly assertGoesOn: () => void;
  },
): Promise<Iterable<number>> {
  const { from, to } = range;
  const { most, assertGoesOn } = source;
  const recipients = criteria.toAddress ?? [];
  const addresses = [...(criteria.fromAddress ?? []), ...recipients];
  const isByTransactions = recipients.length === 0 || !(await paysRewards(source, range));
  if (addresses.length > 0 && isByTransactions) {
    const found = await source.index?.find(addresses, { from, to, most, assertGoesOn });
    if (found !== undefined) return found;
  }
  if (to - from >= most)
    throw new RequestError('TRACE_LIMIT_EXCEEDED', `the range spans more than ${most} blocks`);
  return ascending(range);
}

/** Whether a block of the range has a reward, which no transaction names. */
async function paysRewards(
  {
    rules,
    assertGoesOn,
  }: { readonly rules: Pick<Ledger['rules'], 'rewardOf'>; readonly assertGoesOn: () => void },
  { from, to }: BlockRange,
): Promise<boolean> {
  const slices = new TimeSlices();
  for (let number = from; number <= to; number++) {
    if (rules.rewardOf({ number, proposer: ZERO_ADDRESS }) !== undefined) return true;
    if (!slices.isOver()) continue;
    await slices.pause();
    assertGoesOn();
  }
  return false;
}

function* ascending({ from, to }: BlockRange): Generator<number, void> {
  for (let number = from; number <= to; number++) yield number;
}
