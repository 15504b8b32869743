import { Code, toWord, wordFromBytes, type Account } from '@tetrad/node-evm';
import { bytesFromHex } from '@tetrad/types';
import type { StorageRoots } from '../execution/state-validation-root.js';
import type { SharedState } from './shared-state.js';

/**
 * Writes the state into the account, if code and storage match the hashes in the state; otherwise the account is unchanged.
 *
 * Cost: all slots are hashed once
 *
 * @param account - without code, as on a node that is not a party to its creation
 * @returns whether the account has the state now; nothing is final yet
 */
export async function importState(
  account: Account,
  state: SharedState,
  roots: StorageRoots,
): Promise<boolean> {
  const { world } = account;
  const { journal } = world;
  const code = new Code(state.code);
  if (code.hash !== state.codeHash || state.code.length === 0 || account.hasStored) return false;
  const start = journal.checkpoint();
  account.setNonce(state.nonce);
  account.setBalance(toWord(state.balance));
  account.setCode(code);
  for (const [key, value] of state.storage) {
    const slot = world.slot(account, wordFromBytes(bytesFromHex(key)));
    if (slot === undefined) throw new Error('a slot of an account without storage is not in memory');
    account.setSlot(slot, wordFromBytes(bytesFromHex(value)));
  }
  if ((await roots.storageRoot(account)) === state.storageRoot) return true;
  journal.revert(start);
  return false;
}
