import { InvalidBlockError } from '@tetrad/node-block';
import { TransactionDecodeError } from '@tetrad/node-execution';

/** Whether the block broke a rule; any other error is not a fault of the block. */
export function isFaultOfBlock(error: unknown): error is Error {
  return error instanceof InvalidBlockError || error instanceof TransactionDecodeError;
}
