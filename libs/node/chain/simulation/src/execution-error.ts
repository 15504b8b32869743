import { ExecutionRevertedError } from '@tetrad/rpc';
import { RequestError } from '@tetrad/types';
import { readRevertReason } from './read-revert-reason.js';

const REVERTED = 'execution reverted';

/** The error of a revert for clients: code 3 with the return data, and the reason in the message. */
export async function revertError(output: Uint8Array): Promise<ExecutionRevertedError> {
  const reason = await readRevertReason(output);
  return new ExecutionRevertedError(`${REVERTED}${reason === undefined ? '' : `: ${reason}`}`, output);
}

/**
 * The error for a private transaction whose dry run fails. A revert without data is EXECUTION_FAILED like any failure.
 *
 * Source: docs/spec/private-transactions.md#dry-run
 */
export async function dryRunError(failure: string, output: Uint8Array): Promise<Error> {
  return failure === REVERTED && output.length > 0
    ? revertError(output)
    : new RequestError('EXECUTION_FAILED', failure);
}
