import { Code, toWord, wordFromAddress, wordFromBytes, type Account, type World } from '@tetrad/node-evm';
import type { Address } from '@tetrad/types';
import type { Genesis } from '../genesis/genesis.js';
import { loadAccount, loadSlot } from './load.js';
import type { StateChanges } from './state-changes.js';
import type { StateDatabase } from './state-database.js';
import { EMPTY_STORAGE_ROOT } from './stored-account.js';
import type { WorldState } from './world-state.js';

/** The accounts of the genesis file as changes from the empty state. */
export async function genesisState(genesis: Genesis, database: StateDatabase): Promise<StateChanges> {
  const world = await database.openWorld(EMPTY_STORAGE_ROOT);
  for (const { address, balance, nonce, code, storage } of genesis.alloc) {
    const account = await loadAccount(world.evm, wordFromAddress(address));
    account.setBalance(toWord(balance));
    account.setNonce(nonce);
    if (code.length > 0) account.setCode(new Code(code));
    for (const { slot, value } of storage) await setSlot(world.evm, account, { slot, value });
  }
  world.evm.journal.next();
  return world.commitBlock();
}

async function setSlot(
  world: World,
  account: Account,
  { slot, value }: { readonly slot: Uint8Array; readonly value: Uint8Array },
): Promise<void> {
  account.setSlot(await loadSlot(world, account, wordFromBytes(slot)), wordFromBytes(value));
}

/** Credits newly issued wei: the block reward of chains that have one. */
export async function creditAccount({ evm }: WorldState, address: Address, wei: bigint): Promise<void> {
  const account = await loadAccount(evm, wordFromAddress(address));
  account.credit(toWord(wei));
  evm.journal.next();
}
