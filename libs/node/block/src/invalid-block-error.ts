import { TetradError } from '@tetrad/types';

/** A block or header breaks a rule of its chain, or is not one; the message says which rule. */
export class InvalidBlockError extends TetradError {
  override readonly name: string = 'InvalidBlockError';
  override readonly code: 'INVALID_BLOCK' | 'CONSENSUS_RULE' = 'INVALID_BLOCK';
}
