import { ConsensusError } from '@tetrad/node-consensus-bft';
import { TransactionDecodeError } from '@tetrad/node-execution';

/** A block breaks a rule of the chain; the message says which. */
export class InvalidBlockError extends Error {
  override readonly name = 'InvalidBlockError';
}

/** Whether the block broke a rule; anything else says nothing of it. */
export function isFaultOfBlock(error: unknown): error is Error {
  return (
    error instanceof InvalidBlockError ||
    error instanceof ConsensusError ||
    error instanceof TransactionDecodeError
  );
}
