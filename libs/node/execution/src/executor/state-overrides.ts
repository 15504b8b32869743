import { Code, toWord, wordFromAddress, wordFromHash, type World } from '@tetrad/node-evm';
import type { Address, Hash } from '@tetrad/types';
import { loadAccount, loadSlot } from '../state/load.js';
import type { WorldState } from '../state/world-state.js';

/** State that a call pretends. */
export interface AccountOverride {
  readonly balance?: bigint | undefined;
  readonly nonce?: bigint | undefined;
  readonly code?: Uint8Array | undefined;
  /** In place of the whole storage. */
  readonly state?: ReadonlyMap<Hash, Hash> | undefined;
  /** On top of the storage. */
  readonly stateDiff?: ReadonlyMap<Hash, Hash> | undefined;
}

export type StateOverrides = ReadonlyMap<Address, AccountOverride>;

/** Makes the world look as the overrides say. */
export async function applyOverrides({ evm }: WorldState, overrides: StateOverrides): Promise<void> {
  for (const [address, override] of overrides) await applyOverride(evm, address, override);
  evm.journal.next();
}

async function applyOverride(
  world: World,
  address: Address,
  { balance, nonce, code, state, stateDiff }: AccountOverride,
): Promise<void> {
  const account = await loadAccount(world, wordFromAddress(address));
  account.setBalance(balance === undefined ? account.balance : toWord(balance));
  account.setNonce(nonce ?? account.nonce);
  if (code !== undefined) account.setCode(new Code(code));
  if (state !== undefined) account.emptyStorage();
  for (const [slot, value] of state ?? stateDiff ?? [])
    account.setSlot(await loadSlot(world, account, wordFromHash(slot)), wordFromHash(value));
}
