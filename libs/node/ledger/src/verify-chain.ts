import type { ValidatorSnapshot } from '@tetrad/node-consensus-bft';
import type { Block } from '@tetrad/types';
import type { ExecutedBlock } from './block-execution.js';
import { isSameSnapshot, type ChainRules } from './chain-rules.js';
import type { ChainStart } from './chain-start.js';
import { InvalidBlockError } from './invalid-block-error.js';

export interface ChainToVerify {
  readonly start: ChainStart;
  readonly last: { readonly number: number; readonly snapshot: ValidatorSnapshot };
  readonly rules: ChainRules;
  /** A block as it is stored. */
  readonly readBlock: (number: number) => Promise<Block | undefined>;
  readonly check: (block: Block, parent: Block, snapshot: ValidatorSnapshot) => Promise<ExecutedBlock>;
  readonly progress: (blockNumber: number) => void;
}

/** Goes through a stored chain from block 1 on. Fails: with the error of `check`, or InvalidBlockError. */
export async function verifyChain(chain: ChainToVerify): Promise<void> {
  const { start, last, rules, readBlock, check, progress } = chain;
  let { block: parent, snapshot } = start;
  for (let number = 1; number <= last.number; number++) {
    const block = await readBlock(number);
    if (block === undefined) throw new InvalidBlockError(`block ${number} is not stored`);
    const { contractValidators } = await check(block, parent, snapshot);
    snapshot = rules.snapshotAfter(snapshot, block.header, contractValidators);
    parent = block;
    progress(number);
  }
  if (!isSameSnapshot(snapshot, last.snapshot))
    throw new InvalidBlockError('the stored validators and votes are not those of the blocks');
}
