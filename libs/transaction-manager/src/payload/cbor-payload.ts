import { Type, encode, type Token } from 'cborg';
import type { PtmKey } from '@tetrad/types';
import { BOX_BYTES, NONCE_BYTES } from '../enclave/secretbox.js';
import { KEY_BYTES, keyFromBytes, keyToBytes } from '../keys/key-pair.js';
import { readPrivacyFlag } from './binary-payload.js';
import { toBase64 } from './base64.js';
import { CborReader } from './cbor-reader.js';
import {
  HASH_BYTES,
  MAX_PARTIES,
  MalformedPayloadError,
  type AffectedContract,
  type EncodedPayload,
} from './encoded-payload.js';

/** The members in the order of API 5.0, and how each is read. */
const MEMBERS = {
  sender: (reader: CborReader) => keyFromBytes(reader.bytes('sender', KEY_BYTES)),
  cipherText: (reader: CborReader) => reader.bytes('cipherText'),
  nonce: (reader: CborReader) => reader.bytes('nonce', NONCE_BYTES),
  recipientNonce: (reader: CborReader) => reader.bytes('recipientNonce', NONCE_BYTES),
  recipientBoxes: (reader: CborReader) =>
    reader.list('recipientBoxes', MAX_PARTIES, () => reader.bytes('recipientBox', BOX_BYTES)),
  recipients: (reader: CborReader) => readKeys(reader, 'recipients'),
  privacyFlag: (reader: CborReader) => readPrivacyFlag(reader.integer('privacyFlag')),
  affected: (reader: CborReader) => readAffected(reader),
  execHash: (reader: CborReader) => reader.bytes('execHash'),
  mandatoryFor: (reader: CborReader) => readKeys(reader, 'mandatoryFor'),
  privacyGroupId: (reader: CborReader) => reader.bytes('privacyGroupId'),
};
type Members = { [Name in keyof typeof MEMBERS]: ReturnType<(typeof MEMBERS)[Name]> };
const NAMES = Object.keys(MEMBERS) as (keyof Members)[];

/** The encoding of API 5.0 on `/push`: a CBOR map of eleven members, in the order above and all present. */
export function encodeCborPayload(payload: EncodedPayload): Uint8Array {
  const affected = payload.affected.map(
    ({ hash, securityHash }) => [toBase64(hash), plain(securityHash)] as const,
  );
  const members: Record<keyof Members, unknown> = {
    sender: plain(keyToBytes(payload.sender)),
    cipherText: plain(payload.cipherText),
    nonce: plain(payload.cipherTextNonce),
    recipientNonce: plain(payload.recipientNonce),
    recipientBoxes: payload.recipientBoxes.map(plain),
    recipients: payload.recipientKeys.map((key) => plain(keyToBytes(key))),
    privacyFlag: payload.privacyFlag,
    affected: new Map(affected),
    execHash: plain(payload.execHash),
    mandatoryFor: payload.mandatoryRecipients.map((key) => plain(keyToBytes(key))),
    privacyGroupId: plain(payload.privacyGroupId ?? new Uint8Array()),
  };
  return encode(members, { mapSorter: ([a], [b]) => place(a) - place(b) });
}

/** Reads the output of `encodeCborPayload`, with members in any order; ignores bytes after it. Fails: MalformedPayloadError */
export function decodeCborPayload(bytes: Uint8Array): EncodedPayload {
  const { nonce, recipients, mandatoryFor, privacyGroupId, ...members } = readMembers(bytes);
  return {
    ...members,
    cipherTextNonce: nonce,
    recipientKeys: recipients,
    mandatoryRecipients: mandatoryFor,
    privacyGroupId: privacyGroupId.length === 0 ? undefined : privacyGroupId,
  };
}

function readMembers(bytes: Uint8Array): Members {
  const reader = new CborReader(bytes);
  if (reader.open(Type.map, 'payload', NAMES.length) !== NAMES.length)
    throw new MalformedPayloadError(`payload does not have ${NAMES.length} members`);
  const members = new Map<string, unknown>();
  while (members.size < NAMES.length) {
    const text = reader.text('name of a member');
    const name = NAMES.find((known) => known === text);
    if (name === undefined) throw new MalformedPayloadError('payload has an unknown member');
    if (members.has(name)) throw new MalformedPayloadError(`duplicate member ${name}`);
    members.set(name, MEMBERS[name](reader));
  }
  return Object.fromEntries(members) as Members;
}

function readKeys(reader: CborReader, name: string): PtmKey[] {
  return reader.list(name, MAX_PARTIES, () => keyFromBytes(reader.bytes(name, KEY_BYTES)));
}

function readAffected(reader: CborReader): AffectedContract[] {
  const count = reader.open(Type.map, 'affected', MAX_PARTIES);
  const affected = new Map<string, AffectedContract>();
  while (affected.size < count) {
    const name = reader.text('hash of an affected contract');
    const hash = Buffer.from(name, 'base64');
    if (hash.length !== HASH_BYTES || toBase64(hash) !== name)
      throw new MalformedPayloadError('a key of affected is not the base64 of 64 bytes');
    if (affected.has(name)) throw new MalformedPayloadError(`duplicate member ${name}`);
    affected.set(name, { hash, securityHash: reader.bytes('security hash', HASH_BYTES) });
  }
  return [...affected.values()];
}

/** Place of a member in the payload; what is in a map within keeps its own order. */
function place(key: Token | Token[] | undefined): number {
  return Array.isArray(key) || key === undefined ? 0 : NAMES.indexOf(key.value as keyof Members);
}

/** The bytes as a plain array: the encoder would take a Buffer's own encoding. */
function plain(bytes: Uint8Array): Uint8Array {
  return new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
