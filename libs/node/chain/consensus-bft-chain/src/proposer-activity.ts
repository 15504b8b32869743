import type { Ledger } from '@tetrad/node-ledger';
import type { ValidatorSnapshot } from '@tetrad/node-consensus-bft';
import { RequestError, type Address } from '@tetrad/types';
import type { BftChainRules } from './bft-chain-rules.js';

/** Number of blocks without a given range (interface document, "default block window"). */
const DEFAULT_BLOCKS = 64;
/** Headers that are read at a time. */
const HEADERS_AT_A_TIME = 256;

/** The parts of the chain that are read. */
export interface ProposedChain {
  readonly ledger: Pick<Ledger<ValidatorSnapshot>, 'head' | 'listHeaders' | 'snapshotAt'>;
  readonly rules: Pick<BftChainRules, 'proposerOf'>;
}

/** A range of blocks, without its end; the newest blocks when neither is given. */
export interface ActivityRequest {
  readonly start: number | undefined;
  readonly end: number | undefined;
  /** Ends the count of a long range with the request. */
  readonly signal: AbortSignal;
}

export interface ProposerActivity {
  readonly numBlocks: number;
  /** Blocks by proposer; validators that proposed none are listed too. */
  readonly sealerActivity: ReadonlyMap<Address, number>;
}

/**
 * Counts the blocks of a range by proposer (docs/spec/bft.md#methods).
 * @throws RequestError INVALID_BLOCK_RANGE
 */
export async function proposerActivity(
  { ledger, rules }: ProposedChain,
  request: ActivityRequest,
): Promise<ProposerActivity> {
  const { start, end, numBlocks } = rangeOf(request, ledger.head().header.number);
  const { validators } = await ledger.snapshotAt(end);
  const sealerActivity = new Map<Address, number>(validators.map((validator) => [validator, 0]));
  for (let from = start; from < end; from += HEADERS_AT_A_TIME) {
    request.signal.throwIfAborted();
    const headers = await ledger.listHeaders(from, Math.min(from + HEADERS_AT_A_TIME, end) - 1);
    for (const { header } of headers) {
      const author = rules.proposerOf(header);
      sealerActivity.set(author, (sealerActivity.get(author) ?? 0) + 1);
    }
  }
  return { numBlocks, sealerActivity };
}

interface Range {
  readonly start: number;
  readonly end: number;
  readonly numBlocks: number;
}

function rangeOf({ start, end }: ActivityRequest, head: number): Range {
  if (start === undefined && end === undefined) {
    return withoutGenesis({ start: head - DEFAULT_BLOCKS, end: head, numBlocks: DEFAULT_BLOCKS });
  }
  if (end === undefined) return refuse('pass the end block number');
  if (start === undefined) return refuse('pass the start block number');
  if (start > end) return refuse('start block number should be less than end block number');
  if (end > head) return refuse('end block number should be less than or equal to current block height');
  return withoutGenesis({ start, end, numBlocks: end - start });
}

/** Block 0 has no proposer: a range that reaches it begins at 1. */
function withoutGenesis(range: Range): Range {
  const { end, numBlocks } = range;
  return numBlocks >= end ? { start: 1, end, numBlocks: Math.max(end - 1, 0) } : range;
}

function refuse(text: string): never {
  throw new RequestError('INVALID_BLOCK_RANGE', text);
}
