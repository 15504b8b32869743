import type { SigningKeys } from '@tetrad/signer-keys';
import type { SigningAccounts } from '@tetrad/signer-transactions';
import { accountNotHeld } from '@tetrad/signer-transactions';

/** The keys that are loaded at the moment, as signing sees them. */
export function heldAccounts(keys: SigningKeys): SigningAccounts {
  return {
    list: () => keys.list(),
    has: (account) => keys.has(account),
    async sign(account, digest) {
      const signature = await keys.sign(account, digest);
      // The key went in a reload after it was asked for.
      if (signature === undefined) throw accountNotHeld();
      return signature;
    },
  };
}
