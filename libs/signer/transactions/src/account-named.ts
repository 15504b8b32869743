import { addressFromPublicKey } from '@tetrad/crypto';
import { RefusalError, bytesFromHex, isAddress, parseAddress, type Address } from '@tetrad/types';
import type { SigningAccounts } from './sign-transaction.js';

/** Reads a name that a caller gives; undefined when it is the name of no account, held or not. */
export type ReadName = (name: string) => Address | undefined;

/** By its address. */
export const byAddress: ReadName = (name) => (isAddress(name) ? parseAddress(name) : undefined);

/** By its public key: x (32) ‖ y (32) in lower-case hex. */
export const byPublicKey: ReadName = (name) =>
  /^0x[0-9a-f]{128}$/.test(name) ? addressFromPublicKey(bytesFromHex(name)) : undefined;

/**
 * The account that a caller means, if its key is held. A name that is no address names no account.
 *
 * Fails: RefusalError SIGNING_FROM_IS_NOT_AN_UNLOCKED_ACCOUNT
 */
export function accountNamed(name: string, accounts: Pick<SigningAccounts, 'has'>): Address {
  return accountHeld(byAddress(name), accounts);
}

/** Fails: as `accountNamed` */
export function accountHeld(account: Address | undefined, accounts: Pick<SigningAccounts, 'has'>): Address {
  if (account === undefined || !accounts.has(account)) throw accountNotHeld();
  return account;
}

export function accountNotHeld(): RefusalError {
  return new RefusalError(
    'SIGNING_FROM_IS_NOT_AN_UNLOCKED_ACCOUNT',
    'No unlocked account matches the Sender',
  );
}
