import type { RollupCodec } from './contract/rollup-contract.js';
import type { RollupEvent } from './contract/rollup-events.js';
import { TetradError, type Address, type Hash } from '@tetrad/types';
import type { EthereumLog } from './ethereum-methods.js';
import type { BlockRange } from './page-rule.js';

/** An event of the contract and where it is on the chain. */
export interface PlacedEvent {
  readonly event: RollupEvent;
  readonly blockNumber: number;
  readonly blockHash: Hash;
  readonly transactionHash: Hash;
  readonly logIndex: number;
}

/** The client answers with logs that were not asked for: it is broken, or not what it says. */
export class LogError extends TetradError {
  override readonly name = 'LogError';
  override readonly code = 'UNUSABLE_LOGS';
}

/**
 * Events in the order of the chain.
 * @throws LogError for logs of another contract or block, that are there twice, or that say to be removed
 */
export function readEvents(
  codec: RollupCodec,
  logs: readonly EthereumLog[],
  { address, range }: { readonly address: Address; readonly range: BlockRange },
): PlacedEvent[] {
  const ordered = [...logs].sort((a, b) => a.blockNumber - b.blockNumber || a.logIndex - b.logIndex);
  const events: PlacedEvent[] = [];
  let before: EthereumLog | undefined;
  for (const log of ordered) {
    const problem = problemOf(log, before, { address, range });
    if (problem !== undefined)
      throw new LogError(`log ${log.logIndex} of block ${log.blockNumber} ${problem}`);
    before = log;
    const event = codec.parseLog(log);
    if (event === undefined) continue;
    const { blockNumber, blockHash, transactionHash, logIndex } = log;
    events.push({ event, blockNumber, blockHash, transactionHash, logIndex });
  }
  return events;
}

function problemOf(
  log: EthereumLog,
  before: EthereumLog | undefined,
  { address, range }: { readonly address: Address; readonly range: BlockRange },
): string | undefined {
  if (log.address !== address) return 'is of another contract';
  if (log.blockNumber < range.from || log.blockNumber > range.to) return 'was not asked for';
  if (log.removed === true) return 'was taken back';
  if (before?.blockNumber !== log.blockNumber) return undefined;
  if (before.blockHash !== log.blockHash) return 'is of another block of that number';
  return before.logIndex === log.logIndex ? 'is there twice' : undefined;
}
