import { ChainRpcError } from '@tetrad/rollup-chain';
import { OperatorError, ZERO_ADDRESS, bytesFromHex } from '@tetrad/types';
import type { RollupContract } from '../chain/rollup-contract.js';

/** What an exit asks a contract, with values that every contract which has it answers. */
const CALLS: Readonly<Record<string, readonly unknown[]>> = {
  requestTimes: [`0x${'00'.repeat(32)}`],
  verifiers: [0],
  owed: [ZERO_ADDRESS, 0],
  tokenCount: [],
};

/**
 * That a contract has all that an exit needs. Those of earlier versions have no times of requests, and are left with their own
 * version.
 * @throws OperatorError naming what is missing; ChainUnavailableError
 */
export async function assertExitContract(
  contract: Pick<RollupContract, 'address' | 'client' | 'codec'>,
): Promise<void> {
  const names = Object.keys(CALLS);
  const found = await Promise.all(names.map((name) => isThere(contract, name)));
  const missing = names.filter((_, index) => found[index] === false);
  if (missing.length === 0) return;
  throw new OperatorError(
    `the contract at ${contract.address} is of an earlier version and has no ${missing.join(', ')}: leave it with the exit of that version`,
  );
}

async function isThere(
  { address, client, codec }: Pick<RollupContract, 'address' | 'client' | 'codec'>,
  name: string,
): Promise<boolean> {
  const data = bytesFromHex(codec.encodeCall(name, CALLS[name] ?? []));
  try {
    return (await client.call({ to: address, data })).length > 0;
  } catch (error) {
    // A contract reverts for a function that it does not have.
    if (error instanceof ChainRpcError) return false;
    throw error;
  }
}
