import type { LogCriteria } from '@tetrad/api-node';
import { RefusalError, type LogFilter, type MinedLog } from '@tetrad/types';
import type { NodeParts } from './node-parts.js';
import { BlockResolver } from './resolve-block.js';

/** Searches logs within the limits of the node. */
export class LogQuery {
  private readonly blocks: BlockResolver;

  constructor(private readonly parts: NodeParts) {
    this.blocks = new BlockResolver(parts);
  }

  /** Fails: RefusalError BLOCK_NOT_FOUND, INVALID_BLOCK_RANGE, LOG_LIMIT_EXCEEDED. */
  async run(criteria: LogCriteria): Promise<MinedLog[]> {
    return this.search(await this.toFilter(criteria));
  }

  async search(filter: LogFilter): Promise<MinedLog[]> {
    const { limits, ledger } = this.parts;
    const { fromBlock, toBlock } = filter;
    if (fromBlock > toBlock) throw new RefusalError('INVALID_BLOCK_RANGE', 'invalid block range params');
    if (toBlock - fromBlock >= limits.logBlocks) {
      throw new RefusalError('LOG_LIMIT_EXCEEDED', `the range spans more than ${limits.logBlocks} blocks`);
    }
    const logs = await ledger.listLogs(filter, limits.logs + 1);
    if (logs.length > limits.logs) {
      throw new RefusalError('LOG_LIMIT_EXCEEDED', `query returned more than ${limits.logs} results`);
    }
    return logs;
  }

  private async toFilter({
    fromBlock,
    toBlock,
    blockHash,
    addresses,
    topics,
  }: LogCriteria): Promise<LogFilter> {
    const head = this.parts.ledger.head().header.number;
    if (blockHash !== undefined) {
      const block = await this.blocks.find({ blockHash });
      if (block === undefined) throw new RefusalError('BLOCK_NOT_FOUND', 'unknown block');
      const { number } = block.header;
      return { fromBlock: number, toBlock: number, addresses, topics };
    }
    const from = await this.blocks.numberOf(fromBlock ?? 'latest');
    const to = await this.blocks.numberOf(toBlock ?? 'latest');
    if (from > head)
      throw new RefusalError('INVALID_BLOCK_RANGE', 'block range extends beyond current head block');
    return { fromBlock: from, toBlock: Math.min(to, head), addresses, topics };
  }
}

/** Whether the log is one that the criteria ask for, apart from its block. */
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
