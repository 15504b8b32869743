import { EMPTY_KECCAK } from '@tetrad/crypto';
import type { BlockNumberOrTag, LogCriteria } from '@tetrad/api-node';
import { findAccount } from '@tetrad/node-execution';
import { RequestError, type LogFilter, type MinedLog } from '@tetrad/types';
import { LogDataError } from '@tetrad/node-store';
import { responseTooLarge } from './answer-budget.js';
import type { BlockView, LogView, PrivateView, StateView } from './chain-view.js';

/** Bounds of a search. */
export interface LogLimits {
  /** Logs of one answer. */
  readonly logs: number;
  /** Blocks of one range. */
  readonly logBlocks: number;
  /** Bytes of one answer. */
  readonly answerBytes: number;
}

/** Limit on the addresses that are checked to be public contracts, when private state is behind. */
const MAX_LOOKED_UP = 64;

/** Searches logs within the limits of the node. */
export class LogQuery {
  constructor(
    private readonly parts: {
      readonly ledger: BlockView & LogView & StateView;
      readonly limits: LogLimits;
      /** Undefined on a node without private state. */
      readonly privateState: PrivateView | undefined;
    },
  ) {}

  /**
   * @throws RequestError BLOCK_NOT_FOUND, INVALID_LOG_RANGE, LOG_LIMIT_EXCEEDED, RESPONSE_TOO_LARGE,
   *   PRIVATE_STATE_NOT_AVAILABLE
   */
  async run(criteria: LogCriteria): Promise<MinedLog[]> {
    const filter = await this.toFilter(criteria);
    return filter === undefined ? [] : this.search(filter);
  }

  async search(filter: LogFilter): Promise<MinedLog[]> {
    const { limits, ledger } = this.parts;
    const { fromBlock, toBlock } = filter;
    if (fromBlock > toBlock) throw new RequestError('INVALID_LOG_RANGE', 'invalid block range params');
    if (toBlock - fromBlock >= limits.logBlocks) {
      throw new RequestError('LOG_LIMIT_EXCEEDED', `the range spans more than ${limits.logBlocks} blocks`);
    }
    const includePrivate = await this.includesPrivate(filter);
    const logs = await ledger
      .listLogs({ ...filter, includePrivate }, limits.logs + 1, Math.floor(limits.answerBytes / 2))
      .catch((error: unknown) => {
        throw error instanceof LogDataError ? responseTooLarge(limits.answerBytes) : error;
      });
    if (logs.length > limits.logs) {
      throw new RequestError('LOG_LIMIT_EXCEEDED', `query returned more than ${limits.logs} results`);
    }
    return logs;
  }

  /**
   * Whether private logs may match.
   * @throws RequestError when they may and are not available
   */
  private async includesPrivate({ toBlock, addresses }: LogFilter): Promise<boolean> {
    const { privateState } = this.parts;
    if (privateState === undefined) return false;
    if (privateState.isAt(toBlock)) return true;
    if (await this.arePublic(addresses)) return false;
    if (await privateState.reaches(toBlock)) return true;
    throw privateState.rejection(toBlock);
  }

  /** Whether all are contracts of the public state, which never log privately. */
  private async arePublic(addresses: LogFilter['addresses']): Promise<boolean> {
    if (addresses.length === 0 || addresses.length > MAX_LOOKED_UP) return false;
    const { ledger } = this.parts;
    const world = await ledger.worldAt(ledger.head());
    const accounts = await Promise.all(addresses.map((address) => findAccount(world, address)));
    return accounts.every((account) => account !== undefined && account.codeHash !== EMPTY_KECCAK);
  }

  /** Undefined when the range lies above the head. */
  private async toFilter({
    fromBlock,
    toBlock,
    blockHash,
    addresses,
    topics,
  }: LogCriteria): Promise<LogFilter | undefined> {
    const { ledger } = this.parts;
    const head = ledger.head().header.number;
    if (blockHash !== undefined) {
      const block = await ledger.findBlock(blockHash);
      if (block === undefined) throw new RequestError('BLOCK_NOT_FOUND', 'unknown block');
      const { number } = block.header;
      return { fromBlock: number, toBlock: number, addresses, topics };
    }
    const from = numberOf(fromBlock, head);
    const to = numberOf(toBlock, head);
    assertRange({ fromBlock, toBlock });
    if (from > head) return undefined;
    return { fromBlock: from, toBlock: Math.min(to, head), addresses, topics };
  }
}

/** The height of a client's reference; every tag but `earliest` is the head. */
export function numberOf(reference: BlockNumberOrTag | undefined, head: number): number {
  if (typeof reference === 'number') return reference;
  return reference === 'earliest' ? 0 : head;
}

/** @throws RequestError INVALID_LOG_RANGE when both ends are numbers and do not ascend */
export function assertRange({
  fromBlock,
  toBlock,
}: {
  readonly fromBlock?: BlockNumberOrTag | undefined;
  readonly toBlock?: BlockNumberOrTag | undefined;
}): void {
  if (typeof fromBlock === 'number' && typeof toBlock === 'number' && fromBlock > toBlock)
    throw new RequestError('INVALID_LOG_RANGE', 'invalid block range params');
}

/** Whether the log matches the criteria, apart from its block. */
export function matches(
  { log }: MinedLog,
  { addresses, topics }: Pick<LogCriteria, 'addresses' | 'topics'>,
): boolean {
  if (addresses.length > 0 && !addresses.includes(log.address)) return false;
  return topics.every((wanted, position) => {
    const topic = log.topics[position];
    return topic !== undefined && (wanted === undefined || wanted.includes(topic));
  });
}
