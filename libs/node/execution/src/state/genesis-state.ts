import { Account, Address as EvmAddress } from '@ethereumjs/util';
import { addressToBytes, hashFromBytes, type Address } from '@tetrad/types';
import type { Genesis } from '../genesis/genesis.js';
import type { StateChanges } from './state-changes.js';
import type { StateDatabase } from './state-database.js';
import { EMPTY_TRIE_ROOT } from './trie.js';
import type { WorldState } from './world-state.js';

/** The accounts of the genesis file as changes from the empty state. */
export async function genesisState(genesis: Genesis, database: StateDatabase): Promise<StateChanges> {
  const world = await database.openWorld(hashFromBytes(EMPTY_TRIE_ROOT));
  for (const { address, balance, nonce, code, storage } of genesis.alloc) {
    const at = new EvmAddress(addressToBytes(address));
    await world.putAccount(at, new Account(nonce, balance));
    if (code.length > 0) await world.putCode(at, code);
    for (const { slot, value } of storage) await world.putStorage(at, slot, value);
  }
  return world.commitBlock();
}

/** Adds wei out of nothing: the block reward of chains that have one. */
export async function creditAccount(world: WorldState, address: Address, wei: bigint): Promise<void> {
  const at = new EvmAddress(addressToBytes(address));
  const account = (await world.getAccount(at)) ?? new Account();
  account.balance += wei;
  await world.putAccount(at, account);
}
