import { addressFromPublicKey } from '@tetrad/crypto';
import { RequestError, bytesFromHex, isAddress, parseAddress, type Address } from '@tetrad/types';
import type { SigningAccounts } from './sign-transaction.js';

/** An account as a caller names it; undefined when the name is that of no account, held or not. */
export interface AccountName {
  /** For the audit log. */
  readonly name: string;
  readonly account: Address | undefined;
}

/** By its address. */
export function byAddress(name: string): AccountName {
  return { name, account: isAddress(name) ? parseAddress(name) : undefined };
}

/** By its public key: x (32) ‖ y (32) in lower-case hex. The audit log knows keys by their addresses. */
export function byPublicKey(name: string): AccountName {
  if (!/^0x[0-9a-f]{128}$/.test(name)) return { name, account: undefined };
  const account = addressFromPublicKey(bytesFromHex(name));
  return { name: account, account };
}

/**
 * The account that a caller means, if its key is held. A name that is not an address names no account.
 * @throws RequestError SIGNING_FROM_IS_NOT_AN_UNLOCKED_ACCOUNT; KEY_LOADING while keys that may match are being loaded
 */
export async function accountNamed(
  { account }: AccountName,
  accounts: Pick<SigningAccounts, 'has' | 'whenDecided'>,
): Promise<Address> {
  if (account !== undefined) await accounts.whenDecided?.(account);
  if (account === undefined || !accounts.has(account)) throw accountNotHeld();
  return account;
}

export function accountNotHeld(): RequestError {
  return new RequestError(
    'SIGNING_FROM_IS_NOT_AN_UNLOCKED_ACCOUNT',
    'No unlocked account matches the Sender',
  );
}
