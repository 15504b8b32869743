import { CborReader, cborArray, cborBytes, cborInteger, cborMap } from '@tetrad/rlp/cbor';
import type { PtmKey } from '@tetrad/types';
import { BOX_BYTES, NONCE_BYTES } from '../enclave/secretbox.js';
import { KEY_BYTES, keyFromBytes, keyToBytes } from '../keys/key-pair.js';
import { readPrivacyFlag } from './binary-payload.js';
import { toBase64 } from './base64.js';
import {
  HASH_BYTES,
  MAX_PARTIES,
  MalformedPayloadError,
  type AffectedContract,
  type EncodedPayload,
} from './encoded-payload.js';

/** The members in the order of API 5.0, and how each is read. */
const MEMBERS = {
  sender: (reader: CborReader) => keyFromBytes(reader.exactly('sender', KEY_BYTES)),
  cipherText: (reader: CborReader) => reader.bytes('cipherText'),
  nonce: (reader: CborReader) => reader.exactly('nonce', NONCE_BYTES),
  recipientNonce: (reader: CborReader) => reader.exactly('recipientNonce', NONCE_BYTES),
  recipientBoxes: (reader: CborReader) =>
    reader.list('recipientBoxes', MAX_PARTIES, () => reader.exactly('recipientBox', BOX_BYTES)),
  recipients: (reader: CborReader) => readKeys(reader, 'recipients'),
  privacyFlag: (reader: CborReader) => readPrivacyFlag(Number(reader.uint('privacyFlag'))),
  affected: (reader: CborReader) => readAffected(reader),
  execHash: (reader: CborReader) => reader.bytes('execHash'),
  mandatoryFor: (reader: CborReader) => readKeys(reader, 'mandatoryFor'),
  privacyGroupId: (reader: CborReader) => reader.bytes('privacyGroupId'),
};
type Members = { [Name in keyof typeof MEMBERS]: ReturnType<(typeof MEMBERS)[Name]> };
/** Most bytes of a name in a map: the base64 of a hash has 88. */
const MAX_NAME_BYTES = 88;
const NAMES = Object.keys(MEMBERS) as (keyof Members)[];

/** The encoding of API 5.0 on `/push`: a CBOR map of eleven members, in the order above and all present. */
export function encodeCborPayload(payload: EncodedPayload): Uint8Array {
  const keys = (list: readonly PtmKey[]) => cborArray(list.map((key) => cborBytes(keyToBytes(key))));
  const members: Record<keyof Members, Uint8Array> = {
    sender: cborBytes(keyToBytes(payload.sender)),
    cipherText: cborBytes(payload.cipherText),
    nonce: cborBytes(payload.cipherTextNonce),
    recipientNonce: cborBytes(payload.recipientNonce),
    recipientBoxes: cborArray(payload.recipientBoxes.map(cborBytes)),
    recipients: keys(payload.recipientKeys),
    privacyFlag: cborInteger(BigInt(payload.privacyFlag)),
    affected: cborMap(
      payload.affected.map(({ hash, securityHash }) => [toBase64(hash), cborBytes(securityHash)]),
    ),
    execHash: cborBytes(payload.execHash),
    mandatoryFor: keys(payload.mandatoryRecipients),
    privacyGroupId: cborBytes(payload.privacyGroupId ?? new Uint8Array()),
  };
  return cborMap(NAMES.map((name) => [name, members[name]]));
}

/**
 * Reads the output of `encodeCborPayload`, with members in any order; ignores bytes after it.
 * @throws MalformedPayloadError
 */
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
  // Other managers may write longer heads; a payload is known by its cipher text, not by its encoding.
  const reader = new CborReader(bytes, { fault, canonical: false });
  if (reader.map('payload', NAMES.length) !== NAMES.length)
    throw new MalformedPayloadError(`payload does not have ${NAMES.length} members`);
  const members = new Map<string, unknown>();
  while (members.size < NAMES.length) {
    const text = reader.text('name of a member', MAX_NAME_BYTES);
    const name = NAMES.find((known) => known === text);
    if (name === undefined) throw new MalformedPayloadError('payload has an unknown member');
    if (members.has(name)) throw new MalformedPayloadError(`duplicate member ${name}`);
    members.set(name, MEMBERS[name](reader));
  }
  return Object.fromEntries(members) as Members;
}

function readKeys(reader: CborReader, name: string): PtmKey[] {
  return reader.list(name, MAX_PARTIES, () => keyFromBytes(reader.exactly(name, KEY_BYTES)));
}

function readAffected(reader: CborReader): AffectedContract[] {
  const count = reader.map('affected', MAX_PARTIES);
  const affected = new Map<string, AffectedContract>();
  while (affected.size < count) {
    const name = reader.text('hash of an affected contract', MAX_NAME_BYTES);
    const hash = Buffer.from(name, 'base64');
    if (hash.length !== HASH_BYTES || toBase64(hash) !== name)
      throw new MalformedPayloadError('a key of affected is not the base64 of 64 bytes');
    if (affected.has(name)) throw new MalformedPayloadError(`duplicate member ${name}`);
    affected.set(name, { hash, securityHash: reader.exactly('security hash', HASH_BYTES) });
  }
  return [...affected.values()];
}

function fault(message: string): MalformedPayloadError {
  return new MalformedPayloadError(message);
}
