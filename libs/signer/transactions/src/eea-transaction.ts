import { encodeRlp, type RlpTree } from '@tetrad/rlp';
import { chainOf, legacyFields, protectedSignature, type TransactionEnvelope } from '@tetrad/transactions';
import type { Address, PtmKey } from '@tetrad/types';

/** A restricted private transaction with everything decided. It carries no ether. */
export interface UnsignedPrivateTransaction {
  readonly chainId: bigint;
  readonly nonce: bigint;
  readonly gasLimit: bigint;
  /** Gas price in wei. */
  readonly gasPrice: bigint;
  /** Absent for a contract creation. */
  readonly to?: Address | undefined;
  readonly data: Uint8Array;
  readonly privateFrom: PtmKey;
  /** PTM keys in the caller's order, or the id of a privacy group. */
  readonly recipients: readonly PtmKey[] | PtmKey;
}

const RESTRICTED = new TextEncoder().encode('restricted');

/**
 * Encodes the fields once for the bytes to sign and the raw ones (EEA client specification; EIP-155).
 *
 * Layout: signed: rlp[nonce, gasPrice, gas, to, value = 0, data, chainId, 0, 0, privateFrom (32), recipients, "restricted"]
 *         raw:    rlp[nonce, gasPrice, gas, to, value = 0, data, v, r, s, privateFrom (32), recipients, "restricted"]
 *         recipients: a list of keys (32 each), also of one; or the privacy group id (32)
 */
export function privateEnvelopeOf(transaction: UnsignedPrivateTransaction): TransactionEnvelope {
  const { chainId } = transaction;
  const fields = legacyFields({ ...transaction, value: 0n });
  const privacy = privacyOf(transaction);
  return {
    preimage: () => encodeRlp([...fields, ...chainOf(chainId), ...privacy]),
    raw: (signature) => encodeRlp([...fields, ...protectedSignature(chainId, signature), ...privacy]),
  };
}

function privacyOf({ privateFrom, recipients }: UnsignedPrivateTransaction): RlpTree[] {
  const named = typeof recipients === 'string' ? keyBytes(recipients) : recipients.map(keyBytes);
  return [keyBytes(privateFrom), named, RESTRICTED];
}

function keyBytes(key: PtmKey): Uint8Array {
  return new Uint8Array(Buffer.from(key, 'base64'));
}
