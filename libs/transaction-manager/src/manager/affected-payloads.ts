import type { PtmKey } from '@tetrad/types';
import type { Enclave } from '../enclave/enclave.js';
import { ManagerError } from '../manager-error.js';
import { decodeBinaryPayload } from '../payload/binary-payload.js';
import type { EncodedPayload } from '../payload/encoded-payload.js';
import { knownPayloads, type KnownPayload, type KnownPayloads } from '../privacy/known-payload.js';
import type { PayloadStore } from '../store/payload-store.js';

/** A key of ours that opens the payload, with the master key; undefined without one. */
export function openWithOwnKey(
  enclave: Enclave,
  payload: EncodedPayload,
): { readonly key: PtmKey; readonly masterKey: Uint8Array } | undefined {
  for (const key of enclave.ring.keys) {
    if (key !== payload.sender && !payload.recipientKeys.includes(key) && payload.recipientKeys.length > 0)
      continue;
    const masterKey = enclave.masterKey(payload, key);
    if (masterKey !== undefined) return { key, masterKey };
  }
  return undefined;
}

/** Payloads that are read at a time, and most bytes of those that one request may have read. */
const READS = 16;
const MAX_KNOWN_BYTES = 64 * 1_048_576;

/** Those of the payloads that are stored here and can be read. Fails: ManagerError 400 when they are too large together */
export async function findKnownPayloads(
  hashes: readonly Uint8Array[],
  parts: { readonly store: PayloadStore; readonly enclave: Enclave },
): Promise<KnownPayloads> {
  const known: KnownPayload[] = [];
  let bytes = 0;
  for (let at = 0; at < hashes.length; at += READS) {
    const found = await Promise.all(hashes.slice(at, at + READS).map((hash) => findKnown(hash, parts)));
    known.push(...found.flat());
    bytes += found.flat().reduce((sum, { payload }) => sum + payload.cipherText.length, 0);
    if (bytes > MAX_KNOWN_BYTES)
      throw new ManagerError('invalid', `the affected payloads exceed ${MAX_KNOWN_BYTES} bytes in total`);
  }
  return knownPayloads(known);
}

async function findKnown(
  hash: Uint8Array,
  { store, enclave }: { readonly store: PayloadStore; readonly enclave: Enclave },
): Promise<KnownPayload[]> {
  const encoded = await store.find(hash);
  if (encoded === undefined) return [];
  const payload = decodeBinaryPayload(encoded);
  const opened = openWithOwnKey(enclave, payload);
  return opened === undefined ? [] : [{ hash, payload, masterKey: opened.masterKey }];
}
