import {
  keccak256,
  numberToHex,
  parseSignature,
  toRlp,
  trim,
  type Account,
  type Address,
  type Hex,
} from 'viem';
import { AccountCannotSignPrivatelyError } from '../errors/account-errors.js';

/** A private transaction, whose data is the hash of a payload that the transaction manager has. */
export interface PrivateTransactionContent {
  readonly nonce: bigint;
  readonly gasPrice: bigint;
  readonly gas: bigint;
  /** Absent for a contract creation. */
  readonly to?: Address | undefined;
  /** Hash of the payload. */
  readonly data: Hex;
}

/** V of a private transaction without the recovery id. */
const PRIVATE_V = 37n;

/**
 * Signs a private transaction with a local key.
 *
 * Layout: rlp[nonce, gasPrice, gas, to, value 0, data, v, r, s], v being 37 or 38; signed without the last three
 *
 * @throws AccountCannotSignPrivatelyError when the account does not sign hashes
 */
export async function signPrivateTransaction(
  account: Account,
  { nonce, gasPrice, gas, to, data }: PrivateTransactionContent,
): Promise<Hex> {
  const fields = [scalar(nonce), scalar(gasPrice), scalar(gas), to ?? '0x', '0x', data] as const;
  const { r, s, yParity } = parseSignature(await signHash(account, keccak256(toRlp([...fields]))));
  return toRlp([...fields, scalar(PRIVATE_V + BigInt(yParity)), word(r), word(s)]);
}

/** Signs a hash as it is. */
export async function signHash(account: Account, hash: Hex): Promise<Hex> {
  if (account.type !== 'local' || account.sign === undefined)
    throw new AccountCannotSignPrivatelyError({ address: account.address, type: account.type });
  return account.sign({ hash });
}

/** An integer as RLP has it: without leading zeros, and zero as no bytes. */
export function scalar(value: bigint): Hex {
  return value === 0n ? '0x' : word(numberToHex(value, { size: 32 }));
}

/** A number of 32 bytes without leading zeros. */
export function word(bytes: Hex): Hex {
  return trim(bytes);
}
