import { encodeRlp } from '@tetrad/rlp';
import { bytesFromScalar } from '@tetrad/types';
import { legacyFields, trimmed, type LegacyFields } from './legacy-envelope.js';
import type { TransactionEnvelope } from './transaction-envelope.js';

/** V of a private transaction with parity 0; that of chain id 1, which private networks cannot have. */
export const PRIVATE_V = 37n;

/**
 * A private transaction, whose data is the hash of its payload. It is signed for no chain.
 *
 * Layout: signed: rlp[nonce, gasPrice, gas, to (20 or 0), value, data]
 *         raw:    rlp[nonce, gasPrice, gas, to, value, data, v, r, s], v = parity + 37
 * Source: docs/spec/private-transactions.md#signatures
 */
export function privateEnvelopeOf(transaction: LegacyFields): TransactionEnvelope {
  const fields = legacyFields(transaction);
  return {
    preimage: () => encodeRlp(fields),
    raw: ({ r, s, parity }) =>
      encodeRlp([...fields, bytesFromScalar(PRIVATE_V + BigInt(parity)), trimmed(r), trimmed(s)]),
  };
}

/** The raw private transaction before an external signature: v is 37, r and s are zero. */
export function encodeUnsignedPrivate(transaction: LegacyFields): Uint8Array {
  const none = new Uint8Array(0);
  return encodeRlp([...legacyFields(transaction), bytesFromScalar(PRIVATE_V), none, none]);
}
