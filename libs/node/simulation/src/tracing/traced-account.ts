import type { Address, Hash } from '@tetrad/types';

/** An account, or what became of one; members that are empty or did not change are absent. */
export interface TracedAccount {
  /** Wei. */
  readonly balance?: bigint;
  readonly nonce?: bigint;
  readonly code?: Uint8Array;
  readonly storage?: ReadonlyMap<Hash, Hash>;
}

export type TracedAccounts = ReadonlyMap<Address, TracedAccount>;

/** What was touched as it was before; with `diffMode` what changed, before and after. */
export type StateTrace = TracedAccounts | { readonly pre: TracedAccounts; readonly post: TracedAccounts };

/** Everything of an account that a trace can speak of. */
export interface WholeAccount {
  readonly balance: bigint;
  readonly nonce: bigint;
  readonly codeHash: Hash;
  readonly code: Uint8Array;
  /** Of the slots that were touched. */
  readonly storage: ReadonlyMap<Hash, Hash>;
}

/** undefined: there is no such account. */
export type WholeAccounts = ReadonlyMap<Address, WholeAccount | undefined>;

/** An account without what is empty; one that does not exist has a balance of 0. */
export function show(account: WholeAccount | undefined): TracedAccount {
  if (account === undefined) return { balance: 0n };
  const { balance, nonce, code, storage } = account;
  return {
    balance,
    ...(nonce === 0n ? {} : { nonce }),
    ...(code.length === 0 ? {} : { code }),
    ...(storage.size === 0 ? {} : { storage }),
  };
}
