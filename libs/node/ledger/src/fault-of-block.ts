import { InvalidBlockError } from '@tetrad/node-block';
import { TransactionDecodeError } from '@tetrad/node-execution';

/** Whether the block broke a rule; any other error says nothing of it. */
export function isFaultOfBlock(error: unknown): error is Error {
  return error instanceof InvalidBlockError || error instanceof TransactionDecodeError;
}
