import { bytesFromHex, hexFromBytes, type Address } from '@tetrad/types';
import type { Interface, Result } from 'ethers/abi';
import { ChainRpcError, type EthereumClient } from '../ethereum-client.js';

/** Of a reverted call in clients that follow geth. */
const EXECUTION_REVERTED = 3;

/**
 * What a contract says by a function without parameters that came with a later version.
 * @returns undefined where the contract is of an earlier version and has no such function
 * @throws ChainUnavailableError; ChainRpcError when the client refuses for another reason, such as too many calls
 */
export async function readLaterView(
  client: Pick<EthereumClient, 'call'>,
  { contract, abi, name }: { readonly contract: Address; readonly abi: Interface; readonly name: string },
): Promise<Result | undefined> {
  const data = bytesFromHex(abi.encodeFunctionData(name));
  try {
    const answer = await client.call({ to: contract, data });
    return answer.length === 0 ? undefined : abi.decodeFunctionResult(name, hexFromBytes(answer));
  } catch (error) {
    if (isWithoutFunction(error)) return undefined;
    throw error;
  }
}

/** A contract reverts, without data, when it is called by a function that it does not have. */
function isWithoutFunction(error: unknown): boolean {
  if (!(error instanceof ChainRpcError) || (error.data?.length ?? 0) > 0) return false;
  return error.code === EXECUTION_REVERTED || /revert/i.test(error.message);
}
