import type { Logger } from '@tetrad/types';
import type { Enclave } from '../enclave/enclave.js';
import type { TransactionManager } from '../manager/transaction-manager.js';
import { API_VERSIONS_HEADER, parseApiVersions, speaksCbor } from '../party/api-versions.js';
import type { PartyExchange } from '../party/party-exchange.js';
import { decodePartyInfo, encodePartyInfo } from '../party/party-info.js';
import type { PartyTable } from '../party/party-table.js';
import { GROUPS_HEADER } from '../party/push-groups.js';
import { toBase64 } from '../payload/base64.js';
import { decodeBinaryPayload } from '../payload/binary-payload.js';
import { decodeCborPayload } from '../payload/cbor-payload.js';
import { splitPushes, writeAnswers } from '../payload/push-group.js';
import { answerToError } from './answer-error.js';
import { badRequest } from './json-members.js';
import { resendRoutes, type ResendRouteParts } from './resend-routes.js';
import { BYTES, json, text, type HttpAnswer, type HttpRequest, type Route } from './route.js';

export interface PeerParts extends ResendRouteParts {
  readonly manager: TransactionManager;
  readonly enclave: Enclave;
  readonly table: PartyTable;
  readonly exchange: PartyExchange;
  /** Our own URL as peers know it. */
  readonly url: string;
  readonly logger: Logger;
  /** Whether managers have to prove that they hold the keys they announce. */
  readonly proveKeys: boolean;
}

/** Requests of other managers. */
export function peerRoutes(parts: PeerParts): Route[] {
  const bytes = { method: 'POST', consumes: [BYTES] } as const;
  return [
    { ...bytes, path: '/push', handle: (request) => push(request, parts) },
    { ...bytes, path: '/pushes', handle: (request) => pushAll(request, parts) },
    { method: 'GET', path: '/partyinfo', handle: async () => json(partyInfoJson(parts)) },
    { ...bytes, path: '/partyinfo', handle: (request) => learn(request, parts) },
    { ...bytes, path: '/partyinfo/validate', handle: (request) => prove(request, parts) },
    ...resendRoutes(parts),
  ];
}

async function push(
  { body, headers }: Pick<HttpRequest, 'body' | 'headers'>,
  { manager, recovery }: PeerParts,
): Promise<HttpAnswer> {
  // A manager that does not know yet that we speak 5.0, which it does, sends the binary form: a length, whose first
  // byte is 0 and no map of CBOR.
  const cbor = speaksCbor(versionsOf(headers)) && body[0] !== 0;
  const payload = cbor ? decodeCborPayload(body) : decodeBinaryPayload(body);
  const hash = await (recovery.isRunning ? recovery.accept(payload) : manager.push(payload));
  return { ...text(toBase64(hash), 201), headers: { [GROUPS_HEADER]: '1' } };
}

/** Takes several payloads, each as `/push` would. Out: an answer for each, between commas (docs/adr/0149) */
async function pushAll({ body, headers }: HttpRequest, parts: PeerParts): Promise<HttpAnswer> {
  const answers = await Promise.all(
    splitPushes(body).map((one) =>
      push({ body: one, headers }, parts).catch((error: unknown) => answerToError(error, parts.logger)),
    ),
  );
  return text(
    writeAnswers(answers.map(({ status, body }) => ({ status, text: typeof body === 'string' ? body : '' }))),
  );
}

function partyInfoJson({ table, url }: PeerParts): object {
  const peers = [url, ...table.urlsOfParties].map((peer) => ({ url: peer }));
  return { url, peers, keys: table.entries };
}

async function learn({ body, headers }: HttpRequest, parts: PeerParts): Promise<HttpAnswer> {
  await parts.exchange.learn(decodePartyInfo(body), versionsOf(headers));
  if (parts.proveKeys) return { status: 200 };
  return { status: 200, type: BYTES, body: encodePartyInfo({ url: parts.url, keys: [], parties: [] }) };
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Decrypts a UUID for a peer, and nothing else: it would be a way to have payloads of others decrypted. */
async function prove({ body }: HttpRequest, { enclave }: PeerParts): Promise<HttpAnswer> {
  const payload = decodeBinaryPayload(body);
  const [key] = payload.recipientKeys;
  if (key === undefined) throw badRequest('recipientKeys');
  const plaintext = enclave.read(payload, key);
  const secret = Buffer.from(plaintext ?? []).toString('utf8');
  return UUID.test(secret) ? text(secret) : { status: 400 };
}

function versionsOf(headers: HttpRequest['headers']): ReadonlySet<string> {
  const header = headers[API_VERSIONS_HEADER.toLowerCase()];
  return parseApiVersions(Array.isArray(header) ? header.join(',') : header);
}
