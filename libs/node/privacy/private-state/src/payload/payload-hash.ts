import { hexFromBytes, type Brand, type Hex } from '@tetrad/types';

/** Hash of a payload, which a private transaction carries as its data: 64 bytes as lower-case hex. */
export type PayloadHash = Brand<Hex, 'PayloadHash'>;

export const PAYLOAD_HASH_BYTES = 64;

/**
 * The hash in the data of a transaction; undefined for all zeros, which means that there is no payload.
 *
 * As in GoQuorum, longer data is cut to its last 64 bytes and shorter data is padded with leading zeros; its chains may
 * have both.
 */
export function payloadHashOf(data: Uint8Array): PayloadHash | undefined {
  const bytes = new Uint8Array(PAYLOAD_HASH_BYTES);
  const tail = data.subarray(Math.max(0, data.length - PAYLOAD_HASH_BYTES));
  bytes.set(tail, PAYLOAD_HASH_BYTES - tail.length);
  return bytes.some((byte) => byte !== 0) ? payloadHash(bytes) : undefined;
}

/** @throws TypeError when it is not 64 bytes */
export function payloadHash(bytes: Uint8Array): PayloadHash {
  if (bytes.length !== PAYLOAD_HASH_BYTES) throw new TypeError(`payload hash: ${bytes.length} bytes`);
  return hexFromBytes(bytes) as PayloadHash;
}
