import type { PtmKey } from '@tetrad/types';
import type { Enclave } from '../enclave/enclave.js';
import { ManagerError } from '../manager-error.js';
import { toBase64 } from '../payload/base64.js';
import { decodeBinaryPayload } from '../payload/binary-payload.js';
import type { EncodedPayload } from '../payload/encoded-payload.js';
import { knownPayloads, type KnownPayload, type KnownPayloads } from '../privacy/known-payload.js';
import { securityHasher, type KnownCreation } from '../privacy/security-hash.js';
import type { PayloadStore } from '../store/payload-store.js';
import type { RequestTurn } from './request-turns.js';

/** A key of ours that opens a payload, with the master key. */
export interface Opened {
  readonly key: PtmKey;
  readonly masterKey: Uint8Array;
}

/** A key of ours that opens the payload; undefined without one. */
export async function openWithOwnKey(
  enclave: Enclave,
  payload: EncodedPayload,
  { giveWay }: Pick<RequestTurn, 'giveWay'>,
): Promise<Opened | undefined> {
  for (const key of enclave.ring.keys) {
    if (key !== payload.sender && !payload.recipientKeys.includes(key) && payload.recipientKeys.length > 0)
      continue;
    await giveWay();
    const masterKey = enclave.masterKey(payload, key);
    if (masterKey !== undefined) return { key, masterKey };
  }
  return undefined;
}

/** Of boxes without keys those that a key of ours opens, once each, with the first such key. */
export async function boxOpeners(
  payload: EncodedPayload,
  enclave: Enclave,
  { giveWay }: Pick<RequestTurn, 'giveWay'>,
): Promise<{ readonly box: Uint8Array; readonly key: PtmKey }[]> {
  const distinct = new Map(payload.recipientBoxes.map((box) => [toBase64(box), box]));
  const opened: { box: Uint8Array; key: PtmKey }[] = [];
  for (const box of distinct.values()) {
    await giveWay();
    const single = { ...payload, recipientBoxes: [box] };
    const key = enclave.ring.keys.find((one) => enclave.masterKey(single, one) !== undefined);
    if (key !== undefined) opened.push({ box, key });
  }
  return opened;
}

/** Payloads that are read at a time, and most bytes of those that one request may have read. */
const READS = 16;
const MAX_KNOWN_BYTES = 64 * 1_048_576;

export interface LookupParts {
  readonly store: PayloadStore;
  readonly enclave: Enclave;
  readonly turn: RequestTurn;
}

/**
 * Those of the payloads that are stored here and can be read.
 * @param cipherText - of the payload that affects their contracts
 * @throws ManagerError 400 when they are too large together
 */
export async function findKnownPayloads(
  hashes: readonly Uint8Array[],
  cipherText: Uint8Array,
  parts: LookupParts,
): Promise<KnownPayloads> {
  if (hashes.length === 0) return knownPayloads([]);
  const hasher = securityHasher(cipherText);
  const known: KnownPayload[] = [];
  let bytes = 0;
  for (let at = 0; at < hashes.length; at += READS) {
    const found = await parts.turn.alone(() => findSome(hashes.slice(at, at + READS), hasher, parts));
    known.push(...found.known);
    bytes += found.bytes;
    if (bytes > MAX_KNOWN_BYTES)
      throw new ManagerError('invalid', `the affected payloads exceed ${MAX_KNOWN_BYTES} bytes in total`);
  }
  return knownPayloads(known);
}

async function findSome(
  hashes: readonly Uint8Array[],
  hasher: (creation: KnownCreation) => Uint8Array,
  { store, enclave, turn }: LookupParts,
): Promise<{ readonly known: readonly KnownPayload[]; readonly bytes: number }> {
  const stored = await Promise.all(hashes.map((hash) => store.find(hash)));
  const known: KnownPayload[] = [];
  let bytes = 0;
  for (const [index, hash] of hashes.entries()) {
    const encoded = stored[index];
    if (encoded === undefined) continue;
    const creation = decodeBinaryPayload(encoded);
    const opened = await openWithOwnKey(enclave, creation, turn);
    if (opened === undefined) continue;
    const { cipherText, sender, recipientKeys, privacyFlag, mandatoryRecipients } = creation;
    bytes += cipherText.length;
    known.push({
      hash,
      payload: { sender, recipientKeys, privacyFlag, mandatoryRecipients },
      securityHash: hasher({ cipherText, masterKey: opened.masterKey }),
    });
  }
  return { known, bytes };
}
