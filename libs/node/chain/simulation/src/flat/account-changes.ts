import type { AccountChanges, ChangedAccounts } from '@tetrad/api-node';
import { ZERO_HASH, type Address, type Hash } from '@tetrad/types';
import type { WholeAccount, WholeAccounts } from '../tracing/traced-account.js';

/** The accounts that differ, member by member, in the form of OpenEthereum. */
export function accountChanges(pre: WholeAccounts, post: WholeAccounts): ChangedAccounts {
  const changes = new Map<Address, AccountChanges>();
  for (const [address, before] of pre) {
    const after = post.get(address);
    const changed = changesBetween(before, after);
    if (changed !== undefined) changes.set(address, changed);
  }
  return changes;
}

function changesBetween(
  before: WholeAccount | undefined,
  after: WholeAccount | undefined,
): AccountChanges | undefined {
  if (before === undefined) return after === undefined ? undefined : wholeAs('+', after);
  if (after === undefined) return wholeAs('-', before);
  const storage = changedSlots(before.storage, after.storage);
  const isSame =
    before.balance === after.balance && before.nonce === after.nonce && before.codeHash === after.codeHash;
  if (isSame && storage.size === 0) return undefined;
  return {
    balance: changed(before.balance, after.balance),
    code: before.codeHash === after.codeHash ? '=' : { '*': { from: before.code, to: after.code } },
    nonce: changed(before.nonce, after.nonce),
    storage,
  };
}

/** An account that came to be, or ceased to be. */
function wholeAs(sign: '+' | '-', { balance, code, nonce, storage }: WholeAccount): AccountChanges {
  const as = <Value>(value: Value) => ({ [sign]: value }) as { '+': Value } | { '-': Value };
  const slots = [...storage].filter(([, value]) => value !== ZERO_HASH);
  return {
    balance: as(balance),
    code: as(code),
    nonce: as(nonce),
    storage: new Map(slots.map(([slot, value]) => [slot, as(value)])),
  };
}

function changed(from: bigint, to: bigint): '=' | { '*': { from: bigint; to: bigint } } {
  return from === to ? '=' : { '*': { from, to } };
}

function changedSlots(
  before: ReadonlyMap<Hash, Hash>,
  after: ReadonlyMap<Hash, Hash>,
): AccountChanges['storage'] {
  const slots = new Map<Hash, { '*': { from: Hash; to: Hash } }>();
  for (const slot of new Set([...before.keys(), ...after.keys()])) {
    const [from, to] = [before.get(slot) ?? ZERO_HASH, after.get(slot) ?? ZERO_HASH];
    if (from !== to) slots.set(slot, { '*': { from, to } });
  }
  return slots;
}
