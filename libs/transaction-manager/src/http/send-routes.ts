import type { PtmKey } from '@tetrad/types';
import type { ManagerError } from '../manager-error.js';
import type {
  SendRequest,
  SendSignedRequest,
  SentPayload,
  TransactionManager,
} from '../manager/transaction-manager.js';
import type { PrivacyGroups } from '../group/privacy-groups.js';
import { toBase64 } from '../payload/base64.js';
import { PrivacyFlag } from '../payload/encoded-payload.js';
import type { PrivacyMetadata } from '../privacy/send-checks.js';
import {
  base64Bytes,
  optionalKey,
  optionalText,
  parseMembers,
  publicKey,
  requiredText,
  textList,
  type Members,
} from './json-members.js';
import { V4_0, VERSIONED, resourceOf } from './media-types.js';
import { payloadMember } from './payload-member.js';
import { BYTES, JSON_TYPE, TEXT, json, type HttpAnswer, type HttpRequest, type Route } from './route.js';
import { violationError } from './violation-error.js';

export interface SendParts {
  readonly manager: TransactionManager;
  readonly groups: PrivacyGroups;
}

/** Requests that send payloads. */
export function sendRoutes(parts: SendParts): Route[] {
  const versioned = { method: 'POST', consumes: VERSIONED, produces: VERSIONED } as const;
  const bytes = { method: 'POST', consumes: [BYTES] } as const;
  return [
    { ...versioned, path: '/send', handle: (request) => send(request, parts) },
    { ...versioned, path: '/sendsignedtx', handle: (request) => sendSigned(request, parts) },
    { ...bytes, path: '/sendsignedtx', handle: (request) => sendSignedBytes(request, parts) },
    { ...bytes, path: '/sendraw', handle: (request) => sendBytes(request, parts) },
    storeRawRoute(parts),
  ];
}

export function storeRawRoute({ manager }: Pick<SendParts, 'manager'>): Route {
  return {
    method: 'POST',
    path: '/storeraw',
    consumes: VERSIONED,
    async handle({ body, mediaType, headers }) {
      const members = parseMembers(body);
      const payload = payloadMember(members, 'RawTransactionResource.store', headers);
      const hash = await manager.storeRaw(payload, optionalKey(members, 'from'));
      return json({ key: toBase64(hash) }, mediaType);
    },
  };
}

async function send(request: HttpRequest, parts: SendParts): Promise<HttpAnswer> {
  const sent = await parts.manager.send(await readSendRequest(request, parts.groups));
  return sentAnswer(sent, request);
}

/**
 * The request of a body that is to be sent, or encrypted alone.
 * @throws ManagerError
 */
export async function readSendRequest(request: HttpRequest, groups: PrivacyGroups): Promise<SendRequest> {
  const members = parseMembers(request.body);
  const payload = payloadMember(members, `${resourceOf(request.mediaType)}.send`, request.headers);
  const metadata = metadataOf(members, request, 'send');
  const from = optionalKey(members, 'from');
  return { payload, from, to: await recipientsOf(members, metadata, groups), ...metadata };
}

async function sendSigned(request: HttpRequest, parts: SendParts): Promise<HttpAnswer> {
  const sent = await parts.manager.sendSigned(
    await readSignedRequest(parseMembers(request.body), request, parts.groups),
  );
  return sentAnswer(sent, request);
}

/**
 * The request to send a payload of `storeRaw`.
 * @throws ManagerError
 */
export async function readSignedRequest(
  members: Members,
  of: Pick<HttpRequest, 'mediaType' | 'headers'>,
  groups: PrivacyGroups,
): Promise<SendSignedRequest> {
  const hash = base64Bytes(requiredText(members, 'hash'));
  const metadata = metadataOf(members, of, 'sendSignedTransaction');
  return { hash, to: await recipientsOf(members, metadata, groups), ...metadata };
}

async function sendSignedBytes(
  { body, headers, base }: HttpRequest,
  { manager }: SendParts,
): Promise<HttpAnswer> {
  return hashAnswer(
    await manager.sendSigned({ hash: body, to: headerKeys(headers['c11n-to']), ...STANDARD }),
    base,
  );
}

async function sendBytes({ body, headers, base }: HttpRequest, { manager }: SendParts): Promise<HttpAnswer> {
  const [from] = headerKeys(headers['c11n-from']);
  return hashAnswer(
    await manager.send({ payload: body, from, to: headerKeys(headers['c11n-to']), ...STANDARD }),
    base,
  );
}

const STANDARD: PrivacyMetadata = {
  privacyFlag: PrivacyFlag.Standard,
  affected: [],
  execHash: new Uint8Array(),
  mandatoryRecipients: [],
  privacyGroupId: undefined,
};

function metadataOf(
  members: Members,
  { mediaType, headers }: Pick<HttpRequest, 'mediaType' | 'headers'>,
  method: string,
): PrivacyMetadata {
  const privacyFlag = flagOf(members['privacyFlag']);
  const execHash = Buffer.from(optionalText(members, 'execHash') ?? '');
  const path = `${resourceOf(mediaType)}.${method}.arg0`;
  if (privacyFlag === PrivacyFlag.StateValidation && execHash.length === 0)
    throw missingExecHash(path, headers);
  const group = optionalText(members, 'privacyGroupId');
  // Below 4.0 the list is not read.
  const mandatory = mediaType === V4_0 ? textList(members, 'mandatoryRecipients') : [];
  return {
    privacyFlag,
    execHash,
    affected: textList(members, 'affectedContractTransactions').map(base64Bytes),
    mandatoryRecipients: [...new Set(mandatory.map(publicKey))],
    privacyGroupId: group === undefined ? undefined : base64Bytes(group),
  };
}

/** Numbers that are not a flag are flag 0, and texts are the numbers they say, as with existing managers. */
function flagOf(value: unknown): PrivacyFlag {
  const flag = typeof value === 'string' ? Number(value) : value;
  return flag === 1 || flag === 2 || flag === 3 ? flag : PrivacyFlag.Standard;
}

const EXEC_HASH_TEXTS = ['Send request not valid', 'Exec hash missing'];

function missingExecHash(path: string, headers: HttpRequest['headers']): ManagerError {
  const violations = EXEC_HASH_TEXTS.map((message) => ({ message, path, invalidValue: 'SendRequest' }));
  return violationError(violations, headers);
}

async function recipientsOf(
  members: Members,
  { privacyGroupId }: PrivacyMetadata,
  groups: PrivacyGroups,
): Promise<readonly PtmKey[]> {
  if (privacyGroupId === undefined) return textList(members, 'to').map(publicKey);
  return (await groups.get(privacyGroupId)).members;
}

function headerKeys(header: string | string[] | undefined): PtmKey[] {
  const value = Array.isArray(header) ? header.join(',') : (header ?? '');
  const keys = value.split(',').map((key) => key.trim());
  return keys.filter((key) => key !== '').map(publicKey);
}

function sentAnswer(
  { hash, sender, managedParties }: SentPayload,
  { mediaType, base }: HttpRequest,
): HttpAnswer {
  const key = toBase64(hash);
  const value = mediaType === JSON_TYPE ? { key } : { key, managedParties, senderKey: sender };
  return { ...json(value, mediaType), status: 201, headers: location(key, base) };
}

function hashAnswer({ hash }: SentPayload, base: string): HttpAnswer {
  const key = toBase64(hash);
  return { status: 200, type: TEXT, body: key, headers: location(key, base) };
}

function location(key: string, base: string): Record<string, string> {
  return { location: `${base}transaction/${encodeURIComponent(key)}` };
}
