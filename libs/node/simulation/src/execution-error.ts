import { ExecutionRevertedError } from '@tetrad/rpc';
import { RequestError } from '@tetrad/types';
import { readRevertReason } from './read-revert-reason.js';

const REVERTED = 'execution reverted';

/** What Ethereum clients are told of a revert. */
export async function revertError(output: Uint8Array): Promise<ExecutionRevertedError> {
  const reason = await readRevertReason(output);
  return new ExecutionRevertedError(`${REVERTED}${reason === undefined ? '' : `: ${reason}`}`, output);
}

/**
 * The same for a private transaction that fails when it is tried: a revert without data has no code of its own there.
 *
 * Source: privacy-and-extension.md, section 3.2
 */
export async function simulationError(failure: string, output: Uint8Array): Promise<Error> {
  return failure === REVERTED && output.length > 0
    ? revertError(output)
    : new RequestError('EXECUTION_FAILED', failure);
}
