import { keccakView } from '@tetrad/crypto';
import { addressToBytes, type Address } from '@tetrad/types';

/** Which transactions a row is about; the numbers are stored, in two bits. */
export const SCOPE = {
  public: 0,
  /** What this node sees of private transactions. */
  private: 1,
  /** Transactions with more addresses than are indexed, under the key `CROWDED`. */
  crowded: 2,
  /** Private transactions and privacy markers of all parties, under the key `PRIVATE_ONES`. */
  listed: 3,
} as const;

export type Scope = (typeof SCOPE)[keyof typeof SCOPE];

/** Scopes whose rows are of addresses. */
export type PartyScope = typeof SCOPE.public | typeof SCOPE.private;

/** The key of rows of the scope `crowded`. */
export const CROWDED = 0n;

/** The key of rows of the scope `listed`. */
export const PRIVATE_ONES = 0n;

/**
 * The number that stands for an address in rows: the first 62 bits of a keyed hash, signed; the scope is stored behind them.
 *
 *     keccak-256( hash key, 16 ‖ address, 20 )[0..8] >> 2
 *
 * Two of ten million addresses have the same one with a chance of eleven in a million. The key is random and stays in the
 * database, so that an attacker cannot search for an address that shares the number of another one.
 */
export function addressKey(hashKey: Uint8Array, address: Address): bigint {
  const bytes = new Uint8Array(hashKey.length + 20);
  bytes.set(hashKey);
  bytes.set(addressToBytes(address), hashKey.length);
  const digest = keccakView(bytes);
  return new DataView(digest.buffer, digest.byteOffset).getBigInt64(0) >> 2n;
}
