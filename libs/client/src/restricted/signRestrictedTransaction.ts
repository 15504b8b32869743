import {
  bytesToHex,
  keccak256,
  parseSignature,
  stringToHex,
  toRlp,
  type Account,
  type Address,
  type Hex,
} from 'viem';
import { scalar, signHash, word } from '../private/signPrivateTransaction.js';
import { bytesOfKey, type RestrictedRecipients } from './privacy-group.js';

/** A restricted transaction, which carries its own payload. */
export type RestrictedTransactionContent = RestrictedRecipients & {
  readonly chainId: number;
  /** Of the sender in the privacy group. */
  readonly nonce: bigint;
  readonly gasPrice: bigint;
  readonly gas: bigint;
  /** Absent for a contract creation. */
  readonly to?: Address | undefined;
  readonly data: Hex;
};

/**
 * Signs a restricted transaction with a local key.
 *
 * Layout: rlp[nonce, gasPrice, gas, to, value 0, data, v, r, s, privateFrom, recipients or group, "restricted"], v of EIP-155;
 * signed with the chain id, and two empty fields, in place of v, r and s
 *
 * @throws AccountCannotSignPrivatelyError when the account does not sign hashes
 */
export async function signRestrictedTransaction(
  account: Account,
  content: RestrictedTransactionContent,
): Promise<Hex> {
  const { nonce, gasPrice, gas, to, data, chainId, privateFrom, privateFor, privacyGroupId } = content;
  const fields = [scalar(nonce), scalar(gasPrice), scalar(gas), to ?? '0x', '0x', data] as const;
  const parties = privacyGroupId === undefined ? (privateFor ?? []).map(hexOfKey) : hexOfKey(privacyGroupId);
  const privacy = [hexOfKey(privateFrom), parties, stringToHex('restricted')] as const;
  const unsigned = toRlp([...fields, scalar(BigInt(chainId)), '0x', '0x', ...privacy]);
  const { r, s, yParity } = parseSignature(await signHash(account, keccak256(unsigned)));
  const v = scalar(BigInt(chainId) * 2n + 35n + BigInt(yParity));
  return toRlp([...fields, v, word(r), word(s), ...privacy]);
}

const hexOfKey = (key: string): Hex => bytesToHex(bytesOfKey(key));
