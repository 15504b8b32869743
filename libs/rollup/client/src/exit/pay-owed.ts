import type { Address } from '@tetrad/types';
import { ContractRefusal } from '../chain/contract-errors.js';
import { RevertedError } from '../chain/send-transaction.js';
import type { ExitOptions, PlannedTransfer } from './exit-options.js';
import { ExitTransactions } from './exit-transactions.js';
import { isWanted } from './wanted-tokens.js';

/**
 * Fetches what earlier payments left.
 *
 * @param options - of the exit
 * @param recipient - whom the contract may owe
 * @returns what cannot be paid now either
 * @throws as `RollupContract.send`, but for refusals
 */
export async function payOwed(options: ExitOptions, recipient: Address): Promise<PlannedTransfer[]> {
  const { contract } = options;
  const transactions = new ExitTransactions(options);
  const left: PlannedTransfer[] = [];
  const count = await contract.tokenCount();
  for (let tokenId = 0; tokenId < count; tokenId += 1) {
    if (!isWanted(options.tokens, tokenId)) continue;
    const amount = await contract.read('owed', [recipient, tokenId]);
    if (amount === 0n) continue;
    try {
      await contract.send('payOwed', [recipient, tokenId], transactions.sending);
      transactions.say({ kind: 'left', tokenId, amount });
    } catch (error) {
      if (!(error instanceof ContractRefusal || error instanceof RevertedError)) throw error;
      left.push({ tokenId, amount });
      transactions.say({ kind: 'owed', tokenId, amount });
    }
  }
  return left;
}
