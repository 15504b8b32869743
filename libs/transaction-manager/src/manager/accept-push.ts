import type { PtmKey } from '@tetrad/types';
import { keyToBytes } from '../keys/key-pair.js';
import { ManagerError } from '../manager-error.js';
import { toBase64 } from '../payload/base64.js';
import { decodeBinaryPayload, encodeBinaryPayload } from '../payload/binary-payload.js';
import { MAX_PARTIES, payloadHash, type EncodedPayload } from '../payload/encoded-payload.js';
import { checkPush } from '../privacy/push-checks.js';
import type { PayloadStore } from '../store/payload-store.js';
import type { StoredPayload } from '../store/stored-payload.js';
import {
  boxOpeners,
  findKnownPayloads,
  openWithOwnKey,
  type LookupParts,
  type Opened,
} from './affected-payloads.js';

/** What accepting a payload takes. */
export interface PushParts extends LookupParts {
  readonly store: PayloadStore;
  /** Whether flags 1 to 3 are switched on. */
  readonly enhanced: boolean;
  /** Whether recipients send us back what we sent, since we lost it. */
  readonly recovering?: boolean;
}

/** What storing one takes, once it was checked. */
export type KeepParts = Omit<PushParts, 'enhanced'>;

/** The answer to a peer about its payload. */
export interface TakenPush {
  /** 64 bytes. */
  readonly hash: Uint8Array;
  /**
   * Indexes in its list of affected contracts of those that do not count here: their creation is not stored here, or the
   * peer did not prove that it knows it. The answer does not say which, so that a stranger learns nothing.
   */
  readonly dropped: readonly number[];
}

/**
 * Accepts a payload from a peer. A payload that no key of ours opens is not stored, so that a stranger can neither fill
 * the database nor store a broken box before the good one.
 * @returns the same whether or not the payload was stored, so that the peer learns nothing about stored payloads
 * @throws ManagerError
 */
export async function acceptPush(pushed: EncodedPayload, parts: PushParts): Promise<TakenPush> {
  const hash = payloadHash(pushed);
  const payload = await check(pushed, parts);
  if (payload !== undefined) await keepPayload(payload, hash, parts);
  const counts = new Set(payload?.affected);
  const dropped = pushed.affected.flatMap((one, index) => (counts.has(one) ? [] : [index]));
  return { hash, dropped };
}

/**
 * Stores a payload, or adds its boxes to the stored one.
 * @returns whether that changed what is stored; undefined when no key of ours opens the payload
 * @throws ManagerError when another one of the same ciphertext is stored
 */
export async function keepPayload(
  payload: EncodedPayload,
  hash: Uint8Array,
  parts: KeepParts,
): Promise<'stored' | 'known' | undefined> {
  const opened = await openForKeeping(payload, parts);
  if (opened === undefined) return undefined;
  const kept = withOwnBox(await withOpenedBoxes(payload, parts), opened.masterKey, parts);
  if (await parts.store.add(toRow(kept, hash))) return 'stored';
  let changed: StoredPayload | undefined;
  await parts.store.change(hash, (encoded) => {
    changed = merge(decodeBinaryPayload(encoded), kept, parts);
    return changed;
  });
  return changed === undefined ? 'known' : 'stored';
}

async function check(pushed: EncodedPayload, parts: PushParts): Promise<EncodedPayload | undefined> {
  const hashes = pushed.affected.map(({ hash }) => hash);
  const known = await findKnownPayloads(hashes, pushed.cipherText, parts);
  return checkPush(pushed, { known, enhanced: parts.enhanced, giveWay: parts.turn.giveWay });
}

/**
 * What opens a payload that may be kept. A box does not tell which of its two parties made it, so that a recipient of
 * ours can make one that seems to come from us: from us are payloads only while we ask for them.
 */
export async function openForKeeping(
  payload: EncodedPayload,
  { enclave, turn, recovering = false }: Omit<KeepParts, 'store'>,
): Promise<Opened | undefined> {
  if (enclave.ring.has(payload.sender) && !recovering) return undefined;
  const opened = await openWithOwnKey(enclave, payload, turn);
  if (opened === undefined) return undefined;
  const { sender, cipherText, cipherTextNonce: nonce } = payload;
  return enclave.open({ sender, cipherText, nonce, masterKey: opened.masterKey }) && opened;
}

/** Of boxes that older managers push without their keys those that we can open, once each, so that no others gather. */
async function withOpenedBoxes(
  payload: EncodedPayload,
  { enclave, turn }: KeepParts,
): Promise<EncodedPayload> {
  if (payload.recipientKeys.length > 0) return payload;
  const recipientBoxes = (await boxOpeners(payload, enclave, turn)).map(({ box }) => box);
  return { ...payload, recipientBoxes };
}

/** What we sent, with the box of the sender, which no recipient has. */
function withOwnBox(payload: EncodedPayload, masterKey: Uint8Array, { enclave }: KeepParts): EncodedPayload {
  const { sender, recipientKeys, recipientBoxes, recipientNonce } = payload;
  const boxed = recipientKeys.slice(0, recipientBoxes.length);
  if (!enclave.ring.has(sender) || boxed.includes(sender)) return payload;
  const sealed = { sender, masterKey, cipherText: payload.cipherText, nonce: payload.cipherTextNonce };
  return {
    ...payload,
    recipientKeys: [...boxed, sender, ...recipientKeys.slice(boxed.length).filter((key) => key !== sender)],
    recipientBoxes: [...recipientBoxes, ...enclave.box(sealed, [sender], recipientNonce).recipientBoxes],
  };
}

/**
 * The row of a payload.
 * @param hash - where the caller has it already
 */
export function toRow(payload: EncodedPayload, hash = payloadHash(payload)): StoredPayload {
  const boxed = payload.recipientKeys.slice(0, payload.recipientBoxes.length);
  const recipients = [...new Set([...boxed, payload.sender])].map(keyToBytes);
  return { hash, encoded: encodeBinaryPayload(payload), recipients };
}

/** The stored payload with pushed boxes before its own, and in a recovery with what the pushed one concerns besides. */
function merge(
  stored: EncodedPayload,
  pushed: EncodedPayload,
  { enclave, recovering = false }: KeepParts,
): StoredPayload | undefined {
  if (!isSamePayload(stored, pushed)) throw new ManagerError('rejected', 'Invalid existing transaction');
  if (stored.recipientKeys.length === 0) return mergeBoxes(stored, pushed);
  const boxed = stored.recipientKeys.slice(0, stored.recipientBoxes.length);
  const mayAdd = (key: PtmKey) =>
    !boxed.includes(key) && (enclave.ring.has(key) || enclave.ring.has(stored.sender));
  const added = pushed.recipientBoxes.flatMap((box, index) => {
    const key = pushed.recipientKeys[index];
    const isFirst = key !== undefined && pushed.recipientKeys.indexOf(key) === index;
    return isFirst && mayAdd(key) ? [{ key, box }] : [];
  });
  const affected = recovering ? withAffected(stored, pushed) : stored.affected;
  if (added.length === 0 && affected.length === stored.affected.length) return undefined;
  const keys = added.map(({ key }) => key);
  return toBoundedRow({
    ...stored,
    affected,
    recipientKeys: [...keys, ...stored.recipientKeys.filter((key) => !keys.includes(key))],
    recipientBoxes: [...added.map(({ box }) => box), ...stored.recipientBoxes],
  });
}

/** @throws ManagerError 500 for more than can be read again, by which a sender would make its own payload unreadable */
function toBoundedRow(payload: EncodedPayload): StoredPayload {
  const { recipientKeys, recipientBoxes, affected } = payload;
  const most = Math.max(recipientKeys.length, recipientBoxes.length, affected.length);
  if (most <= MAX_PARTIES) return toRow(payload);
  throw new ManagerError('rejected', `the payload would have ${most} parties; the limit is ${MAX_PARTIES}`);
}

/** Boxes of older managers, without keys. */
function mergeBoxes(stored: EncodedPayload, pushed: EncodedPayload): StoredPayload | undefined {
  const isNew = (box: Uint8Array) => stored.recipientBoxes.every((one) => Buffer.compare(one, box) !== 0);
  const added = pushed.recipientKeys.length === 0 ? pushed.recipientBoxes.filter(isNew) : [];
  if (added.length === 0) return undefined;
  return toBoundedRow({ ...stored, recipientBoxes: [...added, ...stored.recipientBoxes] });
}

/** A recipient keeps of the affected contracts those it knows, so that each of several gives back another part of them. */
function withAffected(stored: EncodedPayload, pushed: EncodedPayload): EncodedPayload['affected'] {
  const known = new Set(stored.affected.map(({ hash }) => toBase64(hash)));
  return [...stored.affected, ...pushed.affected.filter(({ hash }) => !known.has(toBase64(hash)))];
}

function isSamePayload(stored: EncodedPayload, pushed: EncodedPayload): boolean {
  return (
    stored.sender === pushed.sender &&
    stored.privacyFlag === pushed.privacyFlag &&
    Buffer.compare(stored.cipherTextNonce, pushed.cipherTextNonce) === 0 &&
    Buffer.compare(stored.recipientNonce, pushed.recipientNonce) === 0
  );
}
