import type { Address, Hash } from '@tetrad/types';

/** An account, or its change; members that are empty or did not change are absent. */
export interface TracedAccount {
  /** Balance in wei. */
  readonly balance?: bigint;
  readonly nonce?: bigint;
  readonly code?: Uint8Array;
  readonly storage?: ReadonlyMap<Hash, Hash>;
}

export type TracedAccounts = ReadonlyMap<Address, TracedAccount>;

/** The touched state before the execution; with `diffMode` the changed state, before and after. */
export type StateTrace = TracedAccounts | { readonly pre: TracedAccounts; readonly post: TracedAccounts };

/** All parts of an account that a trace can contain. */
export interface WholeAccount {
  /** Balance in wei. */
  readonly balance: bigint;
  readonly nonce: bigint;
  readonly codeHash: Hash;
  readonly code: Uint8Array;
  /** Storage of the slots that were touched. */
  readonly storage: ReadonlyMap<Hash, Hash>;
}

/** undefined: the account does not exist. */
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
