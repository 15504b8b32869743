import { EMPTY_OMMERS_HASH } from '@tetrad/node-block';
import type { BlockContext, ForkRules } from '@tetrad/node-execution';
import type { BlockHeader, Hash } from '@tetrad/types';
import type { ExecutedBlock } from './block-execution.js';
import { forkFields } from './header-fields.js';

/** The execution results to which a header commits. */
type Commitments = Pick<ExecutedBlock, 'gasUsed' | 'logsBloom' | 'transactionsRoot' | 'receiptsRoot'> & {
  readonly stateRoot: Hash;
};

export interface HeaderDraft {
  readonly parentHash: Hash;
  readonly timestamp: bigint;
  /** The context in which the block ran. */
  readonly block: BlockContext;
  readonly fork: ForkRules;
  readonly commitments: Commitments;
}

/** The header of an executed block before the proposer completes it: extra data and nonce are empty. */
export function draftHeader(draft: HeaderDraft): BlockHeader {
  const { parentHash, timestamp, block, fork, commitments } = draft;
  const { stateRoot, transactionsRoot, receiptsRoot, logsBloom, gasUsed } = commitments;
  return {
    parentHash,
    ommersHash: EMPTY_OMMERS_HASH,
    beneficiary: block.proposer,
    stateRoot,
    transactionsRoot,
    receiptsRoot,
    logsBloom,
    difficulty: block.difficulty,
    number: block.number,
    gasLimit: block.gasLimit,
    gasUsed,
    timestamp,
    extraData: new Uint8Array(0),
    mixHash: block.mixHash,
    nonce: new Uint8Array(8),
    ...forkFields(fork),
    ...(block.baseFeePerGas === undefined ? {} : { baseFeePerGas: block.baseFeePerGas }),
  };
}
