import { ManagerError } from '../manager-error.js';
import type { ReceivedPayload, TransactionManager } from '../manager/transaction-manager.js';
import { toBase64 } from '../payload/base64.js';
import { PrivacyFlag } from '../payload/encoded-payload.js';
import { base64Bytes, parseMembers, publicKey, requiredText } from './json-members.js';
import { VERSIONED, resourceOf } from './media-types.js';
import { BYTES, JSON_TYPE, json, text, type HttpAnswer, type HttpRequest, type Route } from './route.js';
import { PATTERN, violationError } from './violation-error.js';

/** Requests about payloads that are stored. */
export function transactionRoutes(manager: TransactionManager): Route[] {
  const get = { method: 'GET' } as const;
  return [
    { ...get, path: '/transaction/*', produces: VERSIONED, handle: (request) => receive(request, manager) },
    {
      ...get,
      path: '/transaction/*/isSender',
      handle: async (request) => text(String(await manager.isSender(hashOf(request)))),
    },
    { ...get, path: '/transaction/*/participants', handle: (request) => participants(request, manager) },
    { ...get, path: '/transaction/*/mandatory', handle: (request) => mandatory(request, manager) },
    { ...get, path: '/receiveraw', handle: (request) => receiveBytes(request, manager) },
    { method: 'DELETE', path: '/transaction/*', handle: (request) => forget(request, manager) },
    {
      method: 'POST',
      path: '/delete',
      consumes: [JSON_TYPE],
      handle: (request) => forgetKey(request, manager),
    },
  ];
}

/** The hash in the path: characters that are not base64 are ignored, as by existing managers, and so it is not found. */
function hashOf({ path }: HttpRequest): Buffer {
  return Buffer.from(path[0] ?? '', 'base64');
}

async function receive(request: HttpRequest, manager: TransactionManager): Promise<HttpAnswer> {
  const { query, mediaType, headers } = request;
  const isRaw = query.get('isRaw') ?? 'false';
  if (isRaw !== 'true' && isRaw !== 'false')
    throw violationError(
      [
        {
          message: 'must match "^(true|false)$"',
          messageTemplate: PATTERN,
          path: `${resourceOf(mediaType)}.receive.arg2`,
          invalidValue: isRaw,
        },
      ],
      headers,
    );
  const to = query.get('to') ?? '';
  const hash = hashOf(request);
  const received =
    isRaw === 'true'
      ? await manager.receiveRaw(hash)
      : await manager.receive(hash, to === '' ? undefined : publicKey(to));
  return json(receivedJson(received, mediaType), mediaType);
}

/** Members sorted by name, as existing managers write them. */
export function receivedJson(received: ReceivedPayload, mediaType: string): object {
  const { plaintext, affected, execHash, managedParties, privacyFlag, privacyGroupId, sender } = received;
  const versioned = mediaType !== JSON_TYPE;
  return {
    payload: toBase64(plaintext),
    affectedContractTransactions: affected.map(({ hash }) => toBase64(hash)),
    execHash: Buffer.from(execHash).toString('utf8'),
    ...(versioned ? { managedParties } : {}),
    privacyFlag,
    ...(privacyGroupId === undefined ? {} : { privacyGroupId: toBase64(privacyGroupId) }),
    ...(versioned ? { senderKey: sender } : {}),
  };
}

async function receiveBytes({ headers }: HttpRequest, manager: TransactionManager): Promise<HttpAnswer> {
  const [key, to] = [headers['c11n-key'], headers['c11n-to']];
  if (typeof key !== 'string') throw new ManagerError('invalid', 'HTTP 400 Bad Request (c11n-key)');
  const recipient = typeof to === 'string' && to !== '' ? publicKey(to) : undefined;
  const { plaintext } = await manager.receive(base64Bytes(key), recipient);
  return { status: 200, type: BYTES, body: plaintext };
}

async function participants(request: HttpRequest, manager: TransactionManager): Promise<HttpAnswer> {
  return text((await manager.participants(hashOf(request))).join(','));
}

async function mandatory(request: HttpRequest, manager: TransactionManager): Promise<HttpAnswer> {
  const { privacyFlag, mandatoryRecipients } = await manager.find(hashOf(request));
  if (privacyFlag !== PrivacyFlag.MandatoryRecipients)
    throw new ManagerError(
      'invalid',
      'Operation invalid. Transaction found is not a mandatory recipients privacy type',
    );
  return text(mandatoryRecipients.join(','));
}

async function forget(request: HttpRequest, manager: TransactionManager): Promise<HttpAnswer> {
  return { status: (await manager.delete(hashOf(request))) ? 204 : 404 };
}

async function forgetKey({ body }: HttpRequest, manager: TransactionManager): Promise<HttpAnswer> {
  const hash = base64Bytes(requiredText(parseMembers(body), 'key'));
  return (await manager.delete(hash)) ? text('Delete successful') : { status: 404 };
}
