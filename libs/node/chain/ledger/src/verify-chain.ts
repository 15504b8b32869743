import { InvalidBlockError } from '@tetrad/node-block';
import type { Block } from '@tetrad/types';
import type { ExecutedBlock } from './block-execution.js';
import type { ChainStart } from './chain-start.js';
import type { ConsensusRules } from './consensus-rules.js';

export interface ChainToVerify<Snapshot> {
  /** The block before the first one that is executed. */
  readonly start: Pick<ChainStart<Snapshot>, 'block' | 'snapshot'>;
  readonly last: { readonly number: number; readonly snapshot: Snapshot };
  readonly rules: ConsensusRules<Snapshot>;
  /** Reads a stored block. */
  readonly readBlock: (number: number) => Promise<Block | undefined>;
  readonly check: (block: Block, parent: Block, snapshot: Snapshot) => Promise<ExecutedBlock>;
  readonly progress: (blockNumber: number) => void;
}

/**
 * Goes through a stored chain from the block after the start on.
 * @throws with the error of `check`, or InvalidBlockError
 */
export async function verifyChain<Snapshot>(chain: ChainToVerify<Snapshot>): Promise<void> {
  const { start, last, rules, readBlock, check, progress } = chain;
  let { block: parent, snapshot } = start;
  for (let number = parent.header.number + 1; number <= last.number; number++) {
    const block = await readBlock(number);
    if (block === undefined) throw new InvalidBlockError(`block ${number} is not stored`);
    const { namedValidators } = await check(block, parent, snapshot);
    snapshot = rules.snapshotAfter(snapshot, block.header, namedValidators);
    parent = block;
    progress(number);
  }
  if (!rules.isSameSnapshot(snapshot, last.snapshot))
    throw new InvalidBlockError('the stored validators and votes are not those of the blocks');
}
