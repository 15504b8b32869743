import type { Clock, Hash, Logger, Turns } from '@tetrad/types';
import type { BlockLog } from '../log/block-log.js';
import type { LogBlock } from '../log/log-block.js';
import type { LogKeys } from '../log/log-keys.js';
import type { Member } from '../log/log-records.js';
import type { LogStore } from '../log/log-store.js';

/** The chain of this node. */
export interface OrderedChain<Block extends LogBlock> {
  /** The newest block; everything up to it is stored. */
  head(): LogBlock;
  /** Hash of a block of the chain; undefined for an unknown block. */
  hashOf(number: number): Promise<Hash | undefined>;
  /** A block of the chain, to put it back into the log. */
  findBlock(number: number): Promise<Block | undefined>;
  /**
   * Executes a block on top of the head and stores it.
   * @throws InvalidBlockError when it is not valid there
   */
  importBlock(block: Block): Promise<void>;
}

export interface LogFollowerOptions<Block extends LogBlock> {
  readonly store: LogStore;
  readonly keys: LogKeys;
  readonly log: BlockLog<Block>;
  readonly chain: OrderedChain<Block>;
  readonly genesisHash: Hash;
  /** First members of a network that has no log yet, the same on every node; empty on a node that is added later. */
  readonly firstMembers: readonly Member[];
  /** Whether blocks of this chain that the log has lost are put back into it, as the operator has configured. */
  readonly restoresLog: boolean;
  /** Newest blocks of the log that are never pruned. */
  readonly keptBlocks: number;
  readonly isFaultOfBlock: (error: unknown) => boolean;
  /** Serializes everything that moves the head of the chain. */
  readonly turns: Turns;
  /** Called when the content of the log or its availability changes. */
  readonly onChange: () => void;
  readonly clock: Clock;
  readonly logger: Logger;
}
