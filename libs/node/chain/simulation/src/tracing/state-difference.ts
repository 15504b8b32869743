import { EMPTY_KECCAK } from '@tetrad/crypto';
import { ZERO_HASH, type Address, type Hash } from '@tetrad/types';
import {
  show,
  type TracedAccount,
  type TracedAccounts,
  type WholeAccount,
  type WholeAccounts,
} from './traced-account.js';

/** Accounts that changed, before and after. */
export function stateDifference(
  pre: WholeAccounts,
  post: WholeAccounts,
): { pre: TracedAccounts; post: TracedAccounts } {
  const [before, after] = [new Map<Address, TracedAccount>(), new Map<Address, TracedAccount>()];
  for (const [address, old] of pre) {
    const now = post.get(address);
    if (old === undefined && now === undefined) continue;
    const slots = changedSlots(old, now);
    const changes = changesOf(old, now, slots);
    if (now !== undefined && Object.keys(changes).length === 0) continue;
    if (old !== undefined) before.set(address, show({ ...old, storage: pick(old.storage, slots) }));
    if (now !== undefined) after.set(address, changes);
  }
  return { pre: before, post: after };
}

function changesOf(
  old: WholeAccount | undefined,
  now: WholeAccount | undefined,
  slots: readonly Hash[],
): TracedAccount {
  if (now === undefined) return {};
  const storage = pick(now.storage, slots);
  return {
    ...(now.balance === (old?.balance ?? 0n) ? {} : { balance: now.balance }),
    ...(now.nonce === (old?.nonce ?? 0n) ? {} : { nonce: now.nonce }),
    ...(now.codeHash === (old?.codeHash ?? EMPTY_KECCAK) ? {} : { code: now.code }),
    // A slot that was emptied is not listed after the change; it is listed before it.
    ...(storage.size === 0 && slots.length === 0 ? {} : { storage }),
  };
}

function changedSlots(old: WholeAccount | undefined, now: WholeAccount | undefined): Hash[] {
  const slots = new Set([...(old?.storage.keys() ?? []), ...(now?.storage.keys() ?? [])]);
  return [...slots].filter(
    (slot) => (old?.storage.get(slot) ?? ZERO_HASH) !== (now?.storage.get(slot) ?? ZERO_HASH),
  );
}

/** The slots that are named and not empty. */
function pick(storage: ReadonlyMap<Hash, Hash>, slots: readonly Hash[]): ReadonlyMap<Hash, Hash> {
  const picked = new Map<Hash, Hash>();
  for (const slot of slots) {
    const value = storage.get(slot) ?? ZERO_HASH;
    if (value !== ZERO_HASH) picked.set(slot, value);
  }
  return picked;
}
