import { FAILURE } from '@tetrad/node-evm';

/** Failures of a frame whose last opcode had begun, or was over. */
const OF_BEGUN: ReadonlySet<string> = new Set([
  FAILURE.reverted,
  FAILURE.invalidJump,
  FAILURE.returnDataBounds,
  FAILURE.codeStoreOutOfGas,
  FAILURE.maxCodeSize,
  FAILURE.invalidCode,
]);

/**
 * Whether a frame failed because its last opcode was refused: for want of gas or of words, or since it may not be used.
 *
 * geth 1.10, and so GoQuorum, gives its tracers such a step with the error, and the other failures without it.
 */
export function isRefusal(failure: string | undefined): failure is string {
  return failure !== undefined && !OF_BEGUN.has(failure);
}
