import type { Logger } from '@tetrad/types';
import type { MarkKeeper } from '../completeness/mark-keeper.js';
import type { Enclave } from '../enclave/enclave.js';
import { TAG_BYTES } from '../enclave/secretbox.js';
import type { TransactionManager } from '../manager/transaction-manager.js';
import { API_VERSIONS_HEADER, parseApiVersions, speaksCbor } from '../party/api-versions.js';
import { PROOF_HEADER, writeKeyProof } from '../party/key-proof.js';
import type { PartyExchange } from '../party/party-exchange.js';
import { decodePartyInfo, encodePartyInfo } from '../party/party-info.js';
import type { PartyTable } from '../party/party-table.js';
import { DROPPED_HEADER, GROUPS_HEADER, readsDropped } from '../party/push-groups.js';
import type { MessageInbox } from '../message/message-inbox.js';
import {
  GROUPED_MESSAGES_HEADER,
  MESSAGES_HEADER,
  MESSAGE_GROUPS_VERSION,
} from '../message/peer-abilities.js';
import { toBase64 } from '../payload/base64.js';
import { decodeBinaryPayload } from '../payload/binary-payload.js';
import { decodeCborPayload } from '../payload/cbor-payload.js';
import { checkPushed } from '../payload/encoded-payload.js';
import {
  readDropped,
  splitPushes,
  writeAnswers,
  writeDropped,
  type PushAnswer,
} from '../payload/push-group.js';
import { answerToError } from './answer-error.js';
import { badRequest } from './json-members.js';
import { peerMessageRoutes } from './message-routes.js';
import { resendRoutes, type ResendRouteParts } from './resend-routes.js';
import { BYTES, json, text, type HttpAnswer, type HttpRequest, type Route } from './route.js';

export interface PeerParts extends ResendRouteParts {
  readonly manager: TransactionManager;
  readonly enclave: Enclave;
  readonly table: PartyTable;
  readonly exchange: PartyExchange;
  readonly markKeeper: Pick<MarkKeeper, 'exchange'>;
  readonly inbox: Pick<MessageInbox, 'accept'>;
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
    proofRoute(parts),
    ...peerMessageRoutes(parts.inbox),
    ...resendRoutes(parts),
  ];
}

/** Proves to other managers which keys are ours, and at which URL. */
export function proofRoute(parts: Pick<PeerParts, 'enclave' | 'url'>): Route {
  return {
    method: 'POST',
    path: '/partyinfo/validate',
    consumes: [BYTES],
    handle: (request) => prove(request, parts),
  };
}

async function push(
  { body, headers, from }: Pick<HttpRequest, 'body' | 'from' | 'headers'>,
  { manager, recovery }: PeerParts,
): Promise<HttpAnswer> {
  // A manager that does not know yet that we speak 5.0, which it does, sends the binary form: a length, whose first
  // byte is 0 and no map of CBOR.
  const cbor = speaksCbor(versionsOf(headers)) && body[0] !== 0;
  const payload = cbor ? decodeCborPayload(body) : decodeBinaryPayload(body);
  checkPushed(payload);
  const { hash, dropped } = await (recovery.isRunning
    ? recovery.accept(payload)
    : manager.accept(payload, from));
  const droppedHeader = dropped.length === 0 ? {} : { [DROPPED_HEADER]: writeDropped(dropped) };
  return { ...text(toBase64(hash), 201), headers: { [GROUPS_HEADER]: '1', ...droppedHeader } };
}

/**
 * Takes several payloads, each as `/push` would.
 * @returns an answer for each, between commas (docs/spec/transaction-manager.md)
 */
async function pushAll({ body, headers, from }: HttpRequest, parts: PeerParts): Promise<HttpAnswer> {
  const answers = await Promise.all(
    splitPushes(body).map((one) =>
      push({ body: one, headers, from }, parts).catch((error: unknown) => answerToError(error, parts.logger)),
    ),
  );
  const listsDropped = readsDropped(headers);
  return text(writeAnswers(answers.map((answer) => inGroup(answer, listsDropped))));
}

/** @param listsDropped - whether the answer lists dropped contracts */
function inGroup({ status, body, headers = {} }: HttpAnswer, listsDropped: boolean): PushAnswer {
  const dropped = listsDropped ? readDropped(headers[DROPPED_HEADER] ?? '') : undefined;
  const taken = { status, text: typeof body === 'string' ? body : '' };
  return dropped === undefined ? taken : { ...taken, dropped };
}

function partyInfoJson({ table, url }: PeerParts): object {
  const peers = [url, ...table.urlsOfParties].map((peer) => ({ url: peer }));
  return { url, peers, keys: table.entries };
}

async function learn({ body, headers, from }: HttpRequest, parts: PeerParts): Promise<HttpAnswer> {
  const info = decodePartyInfo(body);
  await parts.exchange.learn(info, versionsOf(headers), from);
  const marks = await parts.markKeeper.exchange(info, headers);
  const ofMessages = { [MESSAGES_HEADER]: '1', [GROUPED_MESSAGES_HEADER]: MESSAGE_GROUPS_VERSION };
  const answer = { status: 200, headers: { ...marks, ...ofMessages } };
  if (parts.proveKeys) return answer;
  return { ...answer, type: BYTES, body: encodePartyInfo({ url: parts.url, keys: [], parties: [] }) };
}

/** A tag and the 36 characters; longer ones are not decrypted. */
const UUID_CIPHER_BYTES = TAG_BYTES + 36;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/**
 * Decrypts a UUID for a peer, and nothing else, so that it cannot be used to decrypt payloads. A header binds the answer
 * to our URL, for peers that read it.
 */
async function prove(
  { body }: HttpRequest,
  { enclave, url }: Pick<PeerParts, 'enclave' | 'url'>,
): Promise<HttpAnswer> {
  const payload = decodeBinaryPayload(body);
  const [key] = payload.recipientKeys;
  if (key === undefined) throw badRequest('recipientKeys');
  if (payload.cipherText.length !== UUID_CIPHER_BYTES) return { status: 400 };
  const plaintext = enclave.read(payload, key);
  const secret = Buffer.from(plaintext ?? []).toString('utf8');
  if (!UUID.test(secret)) return { status: 400 };
  const proof = writeKeyProof({ key, asker: payload.sender, secret, url }, enclave);
  return { ...text(secret), headers: { [PROOF_HEADER]: proof } };
}

function versionsOf(headers: HttpRequest['headers']): ReadonlySet<string> {
  const header = headers[API_VERSIONS_HEADER.toLowerCase()];
  return parseApiVersions(Array.isArray(header) ? header.join(',') : header);
}
