import { ChainRpcError, ChainUnavailableError, type RollupCodec } from '@tetrad/rollup-chain';
import { firstLine, hexFromBytes } from '@tetrad/types';
import { FAILURE_CHARACTERS } from './params.js';

/** What a batch can be refused with when its proof is the matter: it is proved again. */
export const PROOF_FAILURES: ReadonlySet<string> = new Set(['InvalidProof']);

/** A batch that leaves an overdue deposit, which was not known when the batch was made: it is made again. */
export const DEPOSIT_LEFT = 'DepositOverdue';

/** A request is overdue, and the operator had its batch: it waits some blocks for the next one (docs/adr/0215). */
export const NOT_YET = 'TooEarly';

/**
 * Name of a failure: the contract's error when the contract reverted; otherwise the client's message.
 * @returns undefined when nothing was refused because the client is unavailable
 */
export function failureName(codec: RollupCodec, error: unknown): string | undefined {
  if (error instanceof ChainUnavailableError) return undefined;
  if (!(error instanceof ChainRpcError)) throw error;
  const { data, message } = error;
  const name = data === undefined || data.length < 4 ? undefined : codec.errorName(hexFromBytes(data));
  return name ?? firstLine(message).slice(0, FAILURE_CHARACTERS);
}

/** Whether a contract said so: an error of Solidity begins with four bytes. */
export function isRevert(error: unknown): boolean {
  return error instanceof ChainRpcError && (error.data?.length ?? 0) >= 4;
}
