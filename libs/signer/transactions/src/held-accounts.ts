import type { RecoverableSignature } from '@tetrad/crypto';
import { RequestError, type Address, type Clock } from '@tetrad/types';
import { accountNotHeld } from './account-named.js';
import type { SigningAccounts } from './sign-transaction.js';

/** The keys that are loaded at the moment, and those that are being loaded. */
export interface LoadedKeys {
  /** In ascending order. */
  list(): readonly Address[];
  has(account: Address): boolean;
  /**
   * A promise that resolves when it is decided whether the key is among those that are being loaded; `unavailable` when
   * that cannot be waited for; undefined when there is nothing to wait for.
   */
  whenDecided(account: Address): Promise<void> | 'unavailable' | undefined;
  /** Undefined without a key of that address. */
  sign(account: Address, digest: Uint8Array): Promise<RecoverableSignature | undefined>;
}

/**
 * The keys that are loaded at the moment, as signing sees them.
 * @param options.waitMs - longest wait for a key that is being loaded
 */
export function heldAccounts(
  keys: LoadedKeys,
  { waitMs, clock }: { readonly waitMs: number; readonly clock: Pick<Clock, 'schedule'> },
): SigningAccounts {
  return {
    list: () => keys.list(),
    has: (account) => keys.has(account),
    whenDecided(account) {
      const decided = keys.whenDecided(account);
      if (decided === undefined) return undefined;
      return decided === 'unavailable'
        ? Promise.reject(keyLoading(account))
        : within(decided, { waitMs, clock, late: () => keyLoading(account) });
    },
    async sign(account, digest) {
      const signature = await keys.sign(account, digest);
      // The key went in a reload after it was asked for.
      if (signature === undefined) throw accountNotHeld();
      return signature;
    },
  };
}

function keyLoading(account: Address): RequestError {
  return new RequestError('KEY_LOADING', 'keys are still being loaded, this one may be among them', {
    account,
  });
}

function within(
  decided: Promise<void>,
  {
    waitMs,
    clock,
    late,
  }: { readonly waitMs: number; readonly clock: Pick<Clock, 'schedule'>; readonly late: () => Error },
): Promise<void> {
  return new Promise((done, fail) => {
    const cancel = clock.schedule(waitMs, () => fail(late()));
    void decided.then(() => {
      cancel();
      done();
    });
  });
}
