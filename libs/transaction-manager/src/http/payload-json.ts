import { BOX_BYTES, NONCE_BYTES } from '../enclave/secretbox.js';
import { ManagerError } from '../manager-error.js';
import { toBase64 } from '../payload/base64.js';
import { readPrivacyFlag } from '../payload/binary-payload.js';
import {
  HASH_BYTES,
  MAX_PARTIES,
  type AffectedContract,
  type EncodedPayload,
  type PrivacyFlag,
} from '../payload/encoded-payload.js';
import {
  badRequest,
  base64Bytes,
  optionalText,
  parseMembers,
  publicKey,
  requiredList,
  requiredText,
  textList,
} from './json-members.js';

/** An encrypted payload as clients get it. */
export function payloadToJson(payload: EncodedPayload): object {
  const { privacyGroupId, mandatoryRecipients } = payload;
  const affected = payload.affected.map(({ hash, securityHash }) => [
    toBase64(hash),
    // One security hash, in a list: so existing managers write it.
    [toBase64(securityHash)],
  ]);
  return {
    senderKey: payload.sender,
    cipherText: toBase64(payload.cipherText),
    cipherTextNonce: toBase64(payload.cipherTextNonce),
    recipientBoxes: payload.recipientBoxes.map(toBase64),
    recipientNonce: toBase64(payload.recipientNonce),
    recipientKeys: payload.recipientKeys,
    privacyMode: payload.privacyFlag,
    affectedContractTransactions: Object.fromEntries(affected) as unknown,
    execHash: toBase64(payload.execHash),
    ...(mandatoryRecipients.length === 0 ? {} : { mandatoryRecipients }),
    ...(privacyGroupId === undefined ? {} : { privacyGroupId: toBase64(privacyGroupId) }),
  };
}

/**
 * The payload that a client brings to have it read.
 * @throws ManagerError; MalformedPayloadError
 */
export function payloadFromJson(body: Buffer): EncodedPayload {
  const members = parseMembers(body);
  const bytes = (name: string, size?: number) => sized(requiredText(members, name), name, size);
  const group = optionalText(members, 'privacyGroupId');
  return {
    sender: publicKey(requiredText(members, 'senderKey')),
    cipherText: bytes('cipherText'),
    cipherTextNonce: bytes('cipherTextNonce', NONCE_BYTES),
    recipientBoxes: requiredList(members, 'recipientBoxes').map((box) =>
      sized(box, 'recipientBoxes', BOX_BYTES),
    ),
    recipientNonce: bytes('recipientNonce', NONCE_BYTES),
    recipientKeys: textList(members, 'recipientKeys').map(publicKey),
    privacyFlag: privacyMode(members['privacyMode'] ?? 0),
    affected: affectedOf(members['affectedContractTransactions'] ?? {}),
    execHash: base64Bytes(optionalText(members, 'execHash') ?? ''),
    mandatoryRecipients: textList(members, 'mandatoryRecipients').map(publicKey),
    privacyGroupId: group === undefined ? undefined : base64Bytes(group),
  };
}

function privacyMode(value: unknown): PrivacyFlag {
  if (typeof value !== 'number') throw badRequest('privacyMode');
  return readPrivacyFlag(value);
}

/** By the hash of each its security hash, in a list or not: newer managers write the text alone. */
function affectedOf(value: unknown): AffectedContract[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw badRequest('affectedContractTransactions');
  const entries = Object.entries(value as Readonly<Record<string, unknown>>);
  if (entries.length > MAX_PARTIES)
    throw new ManagerError(
      'invalid',
      `affectedContractTransactions has ${entries.length} entries; the limit is ${MAX_PARTIES}`,
    );
  return entries.map(([hash, listed]) => {
    const [proof, ...more] = Array.isArray(listed) ? (listed as unknown[]) : [listed];
    if (typeof proof !== 'string' || more.length > 0) throw badRequest('affectedContractTransactions');
    const name = 'affectedContractTransactions';
    return { hash: sized(hash, name, HASH_BYTES), securityHash: sized(proof, name, HASH_BYTES) };
  });
}

function sized(text: string, name: string, size?: number): Buffer {
  const bytes = base64Bytes(text);
  if (size === undefined || bytes.length === size) return bytes;
  throw new ManagerError('invalid', `${name} has ${bytes.length} bytes, not ${size}`);
}
