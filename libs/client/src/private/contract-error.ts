import type { Abi, Address, BaseError } from 'viem';
import { getContractError } from 'viem/utils';
import { revertDataOf } from '../errors/request-error.js';

/** The call that failed. */
interface FailedCall {
  readonly abi: Abi | readonly unknown[];
  readonly functionName: string;
  readonly args: unknown;
  readonly address?: Address | undefined;
}

/** A revert with the reason decoded, as viem's own contract actions have it; any other error as it is. */
export function asContractError(error: unknown, { abi, ...call }: FailedCall): unknown {
  if (revertDataOf(error) === undefined) return error;
  return getContractError(error as BaseError, { abi: abi as Abi, ...call });
}
