import type { BlockNumberOrTag, PlacedTrace, TraceCriteria } from '@tetrad/api-node';
import { AnswerBudget } from '@tetrad/node-queries';
import { RequestError, type Address } from '@tetrad/types';

/** Bytes of an entry in an answer, without its data and indexes. */
const TRACE_BYTES = 600;

/** Heights, both included. */
export interface BlockRange {
  readonly from: number;
  readonly to: number;
}

/**
 * The blocks that the criteria name, up to the head.
 * @throws RequestError INVALID_TRACE_RANGE when the ends do not ascend
 */
export function rangeOf(
  { fromBlock, toBlock }: Pick<TraceCriteria, 'fromBlock' | 'toBlock'>,
  head: number,
): BlockRange {
  const from = heightOf(fromBlock ?? 'earliest', head);
  const to = heightOf(toBlock ?? 'latest', head);
  if (from > to && from <= head)
    throw new RequestError('INVALID_TRACE_RANGE', 'fromBlock cannot be greater than toBlock');
  return { from, to: Math.min(to, head) };
}

function heightOf(reference: BlockNumberOrTag, head: number): number {
  if (typeof reference === 'number') return reference;
  return reference === 'earliest' ? 0 : head;
}

/**
 * The entries of blocks that match, in the order of the blocks; it ends with the page.
 * @param source.tracesOf - all entries of a block
 * @throws RequestError RESPONSE_TOO_LARGE; what the source throws
 */
export async function findTraces(
  criteria: TraceCriteria,
  blocks: Iterable<number>,
  source: {
    readonly limits: { readonly answerBytes: number };
    readonly tracesOf: (blockNumber: number) => Promise<readonly PlacedTrace[]>;
  },
): Promise<PlacedTrace[]> {
  const matches = matcherOf(criteria);
  const budget = new AnswerBudget(source.limits.answerBytes);
  const most = criteria.count ?? Infinity;
  let toSkip = criteria.after ?? 0;
  const found: PlacedTrace[] = [];
  for (const number of blocks) {
    if (found.length >= most) break;
    for (const trace of await source.tracesOf(number)) {
      if (!matches(trace) || toSkip-- > 0) continue;
      if (found.length === most) break;
      budget.spend(sizeOf(trace));
      found.push(trace);
    }
  }
  return found;
}

/** Without addresses everything matches. */
function matcherOf({ fromAddress, toAddress, mode }: TraceCriteria): (trace: PlacedTrace) => boolean {
  const senders = new Set(fromAddress ?? []);
  const recipients = new Set(toAddress ?? []);
  if (senders.size === 0 && recipients.size === 0) return () => true;
  return (trace) => {
    const { from, to } = partiesOf(trace);
    const [isFrom, isTo] = [from !== undefined && senders.has(from), to !== undefined && recipients.has(to)];
    return mode === 'intersection' ? isFrom && isTo : isFrom || isTo;
  };
}

function partiesOf(trace: PlacedTrace): {
  readonly from: Address | undefined;
  readonly to: Address | undefined;
} {
  switch (trace.type) {
    case 'call':
      return trace.action;
    case 'create':
      return { from: trace.action.from, to: trace.result?.address };
    case 'suicide':
      return { from: trace.action.address, to: trace.action.refundAddress };
    case 'reward':
      return { from: undefined, to: trace.action.author };
  }
}

function sizeOf(trace: PlacedTrace): number {
  const indexes = 4 * trace.traceAddress.length;
  if (trace.type === 'call')
    return TRACE_BYTES + indexes + 2 * (trace.action.input.length + (trace.result?.output.length ?? 0));
  if (trace.type === 'create')
    return TRACE_BYTES + indexes + 2 * (trace.action.init.length + (trace.result?.code.length ?? 0));
  return TRACE_BYTES + indexes;
}
