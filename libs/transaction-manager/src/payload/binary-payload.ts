import type { PtmKey } from '@tetrad/types';
import { BOX_BYTES, NONCE_BYTES } from '../enclave/secretbox.js';
import { KEY_BYTES, keyFromBytes, keyToBytes } from '../keys/key-pair.js';
import {
  HASH_BYTES,
  MAX_PARTIES,
  MalformedPayloadError,
  PrivacyFlag,
  type AffectedContract,
  type EncodedPayload,
} from './encoded-payload.js';
import { FieldReader } from './field-reader.js';
import { FieldWriter } from './field-writer.js';

/**
 * The encoding of payloads up to API 4.0, which is also the one they are stored in. With F(x) a length (8) and the
 * bytes, and A(x) a count (8) and an F of each:
 *
 *   F(sender 32) | F(ciphertext) | F(nonce 24) | A(box 48) | F(recipient nonce 24) | A(recipient key 32) | F(flag 1) |
 *   count (8) of affected, of each F(hash 64) F(security hash 64) |
 *   flag 3: F(execution hash) | flag 2: A(mandatory key 32) | F(privacy group) if it has one
 */
export function encodeBinaryPayload(payload: EncodedPayload): Uint8Array {
  const writer = new FieldWriter();
  const writeField = (bytes: Uint8Array) => void writer.field(bytes);
  const writeKey = (key: PtmKey) => void writer.field(keyToBytes(key));
  writer.field(keyToBytes(payload.sender)).field(payload.cipherText).field(payload.cipherTextNonce);
  writer.list(payload.recipientBoxes, writeField).field(payload.recipientNonce);
  writer.list(payload.recipientKeys, writeKey).field(Uint8Array.of(payload.privacyFlag));
  writer.list(payload.affected, ({ hash, securityHash }) => writer.field(hash).field(securityHash));
  if (payload.privacyFlag === PrivacyFlag.StateValidation) writer.field(payload.execHash);
  if (payload.privacyFlag === PrivacyFlag.MandatoryRecipients)
    writer.list(payload.mandatoryRecipients, writeKey);
  if (payload.privacyGroupId !== undefined) writer.field(payload.privacyGroupId);
  return writer.bytes();
}

/**
 * Reads the output of `encodeBinaryPayload`, and that of older managers, which omit the fields after the recipient nonce.
 * As with existing managers, bytes after the last field are ignored, and an unknown flag is flag 0.
 */
export function decodeBinaryPayload(bytes: Uint8Array): EncodedPayload {
  const reader = new FieldReader(bytes);
  const head = {
    sender: keyFromBytes(reader.field('sender', KEY_BYTES)),
    cipherText: reader.field('cipherText'),
    cipherTextNonce: reader.field('cipherTextNonce', NONCE_BYTES),
    recipientBoxes: reader.list('recipientBoxes', MAX_PARTIES, () => reader.field('recipientBox', BOX_BYTES)),
    recipientNonce: reader.field('recipientNonce', NONCE_BYTES),
  };
  return { ...head, ...readRecipients(reader) };
}

type Recipients = Omit<
  EncodedPayload,
  'sender' | 'cipherText' | 'cipherTextNonce' | 'recipientBoxes' | 'recipientNonce'
>;

function readRecipients(reader: FieldReader): Recipients {
  const recipientKeys = reader.atEnd ? [] : readKeys(reader, 'recipientKeys');
  const privacyFlag = reader.atEnd ? PrivacyFlag.Standard : readPrivacyFlag(reader.field('privacyFlag')[0]);
  const affected = reader.atEnd ? [] : reader.list('affected', MAX_PARTIES, () => readAffected(reader));
  const execHash =
    privacyFlag === PrivacyFlag.StateValidation && !reader.atEnd
      ? reader.field('execHash')
      : new Uint8Array();
  const mandatoryRecipients =
    privacyFlag === PrivacyFlag.MandatoryRecipients && !reader.atEnd
      ? readKeys(reader, 'mandatoryRecipients')
      : [];
  const group = reader.atEnd ? new Uint8Array() : reader.field('privacyGroupId');
  const privacyGroupId = group.length === 0 ? undefined : group;
  return { recipientKeys, privacyFlag, affected, execHash, mandatoryRecipients, privacyGroupId };
}

function readKeys(reader: FieldReader, name: string): PtmKey[] {
  return reader.list(name, MAX_PARTIES, () => keyFromBytes(reader.field(name, KEY_BYTES)));
}

function readAffected(reader: FieldReader): AffectedContract {
  const hash = reader.field('affected hash', HASH_BYTES);
  return { hash, securityHash: reader.field('security hash', HASH_BYTES) };
}

/**
 * The flag of a number, 0 for an unknown one.
 * @throws MalformedPayloadError without a number
 */
export function readPrivacyFlag(value: number | bigint | undefined): PrivacyFlag {
  if (value === undefined) throw new MalformedPayloadError('privacyFlag is empty');
  return value === 1 || value === 2 || value === 3 ? value : PrivacyFlag.Standard;
}
