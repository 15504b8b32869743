import type { BlockContext, Executor } from '@tetrad/node-execution';
import type { BlockHeader, Hash } from '@tetrad/types';
import type { ConsensusRules, NextContext } from './consensus-rules.js';
import { forkFields } from './header-fields.js';
import { blockTimes } from './header-time.js';

interface BlockContextParts {
  readonly rules: Pick<ConsensusRules, 'coinbaseOf' | 'feeRecipientOf' | 'timeMsOf'>;
  readonly executor: Executor;
  readonly findHash: (number: number) => Promise<Hash | undefined>;
}

/** The contexts in which the transactions of blocks are executed. */
export class BlockContexts {
  constructor(private readonly parts: BlockContextParts) {}

  /** The context of a block with this header. */
  of(header: BlockHeader): BlockContext {
    const { rules } = this.parts;
    return this.complete({ ...header, proposer: rules.coinbaseOf(header), ...blockTimes(rules, header) });
  }

  /** The context of a block on top of the head, with the fields of its fork. */
  above(next: NextContext): BlockContext {
    const { baseFeePerGas } = forkFields(this.parts.executor.rules(next));
    return this.complete({ ...next, ...(baseFeePerGas === undefined ? {} : { baseFeePerGas }) });
  }

  /** The context of a block that does not have a header yet. */
  complete(block: Omit<BlockContext, 'findBlockHash'>): BlockContext {
    const { number, timestamp, evmTimestamp, proposer, gasLimit, baseFeePerGas, difficulty, mixHash } = block;
    const { rules, findHash } = this.parts;
    const feeRecipient = rules.feeRecipientOf(block);
    return {
      number,
      timestamp,
      proposer,
      gasLimit,
      difficulty,
      mixHash,
      findBlockHash: findHash,
      ...(evmTimestamp === undefined ? {} : { evmTimestamp }),
      ...(baseFeePerGas === undefined ? {} : { baseFeePerGas }),
      ...(feeRecipient === undefined ? {} : { feeRecipient }),
    };
  }
}
