import { Code, toWord, wordFromAddress, wordFromHash, type World } from '@tetrad/node-evm';
import { TimeSlices, type Address, type Hash } from '@tetrad/types';
import { loadAccount, loadSlot } from '../state/load.js';
import type { WorldState } from '../state/world-state.js';

/** State of one account that a call overrides; absent members stay as they are. */
export interface AccountOverride {
  /** Balance in wei. */
  readonly balance?: bigint | undefined;
  readonly nonce?: bigint | undefined;
  readonly code?: Uint8Array | undefined;
  /** Slot → value; replaces the whole storage. */
  readonly state?: ReadonlyMap<Hash, Hash> | undefined;
  /** Slot → value; replaces these slots only. */
  readonly stateDiff?: ReadonlyMap<Hash, Hash> | undefined;
}

export type StateOverrides = ReadonlyMap<Address, AccountOverride>;

/** Applies the overrides to the world. Between many slots and accounts other work has its turn. */
export async function applyOverrides({ evm }: WorldState, overrides: StateOverrides): Promise<void> {
  const slices = new TimeSlices();
  for (const [address, override] of overrides) await applyOverride(evm, address, { override, slices });
  evm.journal.next();
}

async function applyOverride(
  world: World,
  address: Address,
  { override, slices }: { readonly override: AccountOverride; readonly slices: TimeSlices },
): Promise<void> {
  const { balance, nonce, code, state, stateDiff } = override;
  if (slices.isOver()) await slices.pause();
  const account = await loadAccount(world, wordFromAddress(address));
  account.setBalance(balance === undefined ? account.balance : toWord(balance));
  account.setNonce(nonce ?? account.nonce);
  if (code !== undefined) account.setCode(new Code(code));
  if (state !== undefined) account.emptyStorage();
  for (const [slot, value] of state ?? stateDiff ?? []) {
    if (slices.isOver()) await slices.pause();
    account.setSlot(await loadSlot(world, account, wordFromHash(slot)), wordFromHash(value));
  }
}
