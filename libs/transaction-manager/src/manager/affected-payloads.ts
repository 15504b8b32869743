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

/** Bounds of what one request may have read. */
export interface KnownBounds {
  /** Bytes of all payloads together: a request names many in little room. */
  readonly bytes: number;
  /** Bytes that are read at a time, unless one payload is larger. */
  readonly pageBytes: number;
}

const BOUNDS: KnownBounds = { bytes: 64 * 1_048_576, pageBytes: 4 * 1_048_576 };

/** Payloads that are read at a time, so that other senders are let in between. */
const PAGE_COUNT = 16;

export interface LookupParts {
  readonly store: Pick<PayloadStore, 'sizeOf' | 'findTogether'>;
  readonly enclave: Enclave;
  readonly turn: RequestTurn;
  /** Others than usual, for tests. */
  readonly bounds?: KnownBounds;
}

/** A payload that is stored, and how large it is. */
interface Sized {
  readonly hash: Uint8Array;
  readonly bytes: number;
}

/**
 * Those of the payloads that are stored here and can be read.
 * @param cipherText - of the payload that affects their contracts
 * @throws ManagerError 400 when they are too large together, before any is read
 */
export async function findKnownPayloads(
  hashes: readonly Uint8Array[],
  cipherText: Uint8Array,
  parts: LookupParts,
): Promise<KnownPayloads> {
  const { store, turn, bounds = BOUNDS } = parts;
  const sized = await sizesOf(hashes, store);
  if (sized.length === 0) return knownPayloads([]);
  if (sumOf(sized) > bounds.bytes)
    throw new ManagerError('invalid', `the affected payloads exceed ${bounds.bytes} bytes in total`);
  const hasher = securityHasher(cipherText);
  const known: KnownPayload[] = [];
  for (const page of pagesOf(sized, bounds.pageBytes))
    known.push(...(await turn.alone(sumOf(page), () => findSome(page, hasher, parts))));
  return knownPayloads(known);
}

/** Those that are stored, each once however often it is named. */
async function sizesOf(hashes: readonly Uint8Array[], store: Pick<PayloadStore, 'sizeOf'>): Promise<Sized[]> {
  const distinct = [...new Map(hashes.map((hash) => [toBase64(hash), hash])).values()];
  const sizes = await Promise.all(distinct.map((hash) => store.sizeOf(hash)));
  return distinct.flatMap((hash, index) => {
    const bytes = sizes[index];
    return bytes === undefined ? [] : [{ hash, bytes }];
  });
}

function sumOf(sized: readonly Sized[]): number {
  return sized.reduce((sum, { bytes }) => sum + bytes, 0);
}

function pagesOf(sized: readonly Sized[], pageBytes: number): Sized[][] {
  const pages: Sized[][] = [];
  for (const one of sized) {
    const last = pages.at(-1);
    const fits = last !== undefined && last.length < PAGE_COUNT && sumOf(last) + one.bytes <= pageBytes;
    if (fits) last.push(one);
    else pages.push([one]);
  }
  return pages;
}

async function findSome(
  page: readonly Sized[],
  hasher: (creation: KnownCreation) => Uint8Array,
  { store, enclave, turn }: LookupParts,
): Promise<KnownPayload[]> {
  const stored = await store.findTogether(page.map(({ hash }) => hash));
  const known: KnownPayload[] = [];
  for (const [index, { hash }] of page.entries()) {
    const encoded = stored[index];
    if (encoded === undefined) continue;
    const creation = decodeBinaryPayload(encoded);
    const opened = await openWithOwnKey(enclave, creation, turn);
    if (opened === undefined) continue;
    const { cipherText, sender, recipientKeys, privacyFlag, mandatoryRecipients } = creation;
    known.push({
      hash,
      payload: { sender, recipientKeys, privacyFlag, mandatoryRecipients },
      securityHash: hasher({ cipherText, masterKey: opened.masterKey }),
    });
  }
  return known;
}
