import type { SigningKeys } from '@tetrad/signer-keys';
import type { SigningAccounts } from '@tetrad/signer-transactions';
import { accountNotHeld } from '@tetrad/signer-transactions';
import { RefusalError, type Address, type Clock } from '@tetrad/types';

/**
 * The keys that are loaded at the moment, as signing sees them.
 *
 * In: waitMs — longest wait for a key that is being loaded
 */
export function heldAccounts(
  keys: SigningKeys,
  { waitMs, clock }: { readonly waitMs: number; readonly clock: Clock },
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

function keyLoading(account: Address): RefusalError {
  return new RefusalError('KEY_LOADING', 'keys are still being loaded, this one may be among them', {
    account,
  });
}

function within(
  decided: Promise<void>,
  { waitMs, clock, late }: { readonly waitMs: number; readonly clock: Clock; readonly late: () => Error },
): Promise<void> {
  return new Promise((done, fail) => {
    const cancel = clock.schedule(waitMs, () => fail(late()));
    void decided.then(() => {
      cancel();
      done();
    });
  });
}
