import { RefusalError, isAddress, parseAddress, type Address } from '@tetrad/types';
import type { SigningAccounts } from './sign-transaction.js';

/**
 * The account that a caller means, if its key is held. A name that is no address names no account.
 *
 * Fails: RefusalError SIGNING_FROM_IS_NOT_AN_UNLOCKED_ACCOUNT
 */
export function accountNamed(name: string, accounts: Pick<SigningAccounts, 'has'>): Address {
  const account = isAddress(name) ? parseAddress(name) : undefined;
  if (account === undefined || !accounts.has(account)) throw accountNotHeld();
  return account;
}

export function accountNotHeld(): RefusalError {
  return new RefusalError(
    'SIGNING_FROM_IS_NOT_AN_UNLOCKED_ACCOUNT',
    'No unlocked account matches the Sender',
  );
}
