import { addressFromPrivateKey } from '@tetrad/crypto';
import type { WorldState } from '@tetrad/node-execution';
import { BlockProducer, type BlockProductionOptions } from './block-producer.js';

export interface BlockProduction {
  /** Why no blocks are produced at the moment; undefined when all is well. */
  trouble(): string | undefined;
  /** The state of the block in the making, to read or to try things in. */
  pendingWorld(): Promise<WorldState>;
  /** Resolves when no block is in the making any more; what is not in a block stays in the pool. */
  stop(): Promise<void>;
}

/** The key belongs to no validator of the chain, or the chain has more than one. */
export class NotTheValidatorError extends Error {
  override readonly name = 'NotTheValidatorError';
}

/** Produces blocks as the chain's only validator. Fails: NotTheValidatorError. */
export function startBlockProduction(options: BlockProductionOptions): BlockProduction {
  const proposer = addressFromPrivateKey(options.privateKey);
  const validators = options.ledger.validators();
  if (validators.length !== 1 || validators[0] !== proposer) {
    throw new NotTheValidatorError(
      `this node's address is ${proposer}, the chain's validators are ${validators.join(', ') || 'none'}`,
    );
  }
  const producer = new BlockProducer(options, proposer);
  const finished = producer.run();
  return {
    trouble: () => producer.trouble,
    pendingWorld: () => producer.pendingWorld(),
    async stop() {
      producer.stop();
      await finished;
    },
  };
}
