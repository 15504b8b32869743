import { AccountFollower } from './account-follower.js';
import { exitByFreezing } from './exit-by-freezing.js';
import type { ExitOptions, PlannedTransfer } from './exit-options.js';
import { payOwed } from './pay-owed.js';

/**
 * Takes all that an account holds out of a contract that freezes, which needs no prover (docs/adr/0241).
 *
 * @param options - the contract, the keys, and who is paid
 * @returns what the contract still owes, because a payment failed
 * @throws as `exitRollup`
 */
export async function exitFreezingContract(options: ExitOptions): Promise<readonly PlannedTransfer[]> {
  const { contract, keys, fromBlock, onProgress } = options;
  const follower = new AccountFollower(contract, keys, fromBlock);
  await follower.look((block) => onProgress({ kind: 'reading', block }));
  return payOwed(options, await exitByFreezing(options, () => follower.look()));
}
