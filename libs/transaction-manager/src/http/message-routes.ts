import type { Logger } from '@tetrad/types';
import { ManagerError } from '../manager-error.js';
import { MAX_GROUP, MAX_GROUP_BYTES } from '../message/message-bounds.js';
import { splitMessages } from '../message/message-group.js';
import type { MessageInbox } from '../message/message-inbox.js';
import type { MessageOutbox } from '../message/message-outbox.js';
import {
  MAX_MESSAGE_BYTES,
  MAX_TAG,
  isKind,
  type MessageId,
  type PartyMessage,
} from '../message/party-message.js';
import { toBase64 } from '../payload/base64.js';
import { answerToError } from './answer-error.js';
import {
  badRequest,
  base64Bytes,
  parseMembers,
  publicKey,
  requiredList,
  requiredText,
  type Members,
} from './json-members.js';
import { BYTES, JSON_TYPE, json, type HttpAnswer, type HttpRequest, type Route } from './route.js';

export interface MessageRouteParts {
  readonly outbox: Pick<MessageOutbox, 'take'>;
  readonly inbox: Pick<MessageInbox, 'read' | 'acknowledge'>;
  readonly logger: Logger;
}

/** Maximum number of messages in an answer. */
const MAX_READ = 64;

/** The node's side of messages between parties: docs/spec/transaction-manager.md#messages. */
export function messageRoutes(parts: MessageRouteParts): Route[] {
  const path = '/partymessages';
  return [
    { method: 'POST', path, consumes: [JSON_TYPE], handle: (request) => take(request, parts) },
    { method: 'GET', path, handle: (request) => read(request, parts) },
    {
      method: 'POST',
      path: `${path}/acknowledge`,
      consumes: [JSON_TYPE],
      handle: (request) => acknowledge(request, parts),
    },
  ];
}

/** The other managers' side. */
export function peerMessageRoutes(inbox: Pick<MessageInbox, 'accept'>): Route[] {
  const route = (path: string, read: (body: Buffer) => readonly Uint8Array[]): Route => ({
    method: 'POST',
    path,
    consumes: [BYTES],
    async handle({ body, from }) {
      await inbox.accept(read(body), from);
      return { status: 200 };
    },
  });
  return [route('/partymessage', (body) => [body]), route('/partymessages', splitMessages)];
}

async function take({ body }: HttpRequest, { outbox, logger }: MessageRouteParts): Promise<HttpAnswer> {
  const members = parseMembers(body);
  if (members['messages'] !== undefined) {
    const outcomes = await outbox.take(messagesOf(members['messages']));
    return json({ outcomes: outcomes.map((one) => outcomeOf(one, logger)) });
  }
  const [outcome] = await outbox.take([messageOf(members)]);
  if (outcome instanceof Error) throw outcome;
  return json({ outcome });
}

/** As the message would have been answered by itself. */
function outcomeOf(outcome: string | Error, logger: Logger): object {
  if (typeof outcome === 'string') return { outcome };
  const { status, body } = answerToError(outcome, logger);
  return { status, text: body };
}

/** @throws ManagerError, which names the message */
function messagesOf(list: unknown): PartyMessage[] {
  if (!Array.isArray(list) || list.length === 0) throw badRequest('messages');
  if (list.length > MAX_GROUP)
    throw new ManagerError('invalid', `messages has ${list.length} entries; the limit is ${MAX_GROUP}`);
  const messages = list.map((one: unknown, index) => {
    if (typeof one !== 'object' || one === null || Array.isArray(one)) throw badRequest('messages');
    try {
      return messageOf(one as Members);
    } catch (error) {
      if (!(error instanceof ManagerError)) throw error;
      throw new ManagerError(error.kind, `message ${index + 1} of ${list.length}: ${error.message}`);
    }
  });
  const bytes = messages.reduce((sum, { body }) => sum + body.length, 0);
  if (bytes > MAX_GROUP_BYTES)
    throw new ManagerError('invalid', `the bodies have ${bytes} bytes; the limit is ${MAX_GROUP_BYTES}`);
  return messages;
}

/** @throws ManagerError */
function messageOf(members: Members): PartyMessage {
  const kind = requiredText(members, 'kind');
  if (!isKind(kind)) throw badRequest('kind');
  const bytes = base64Bytes(requiredText(members, 'body'));
  if (bytes.length > MAX_MESSAGE_BYTES)
    throw new ManagerError('invalid', `body has ${bytes.length} bytes; the limit is ${MAX_MESSAGE_BYTES}`);
  const [from, to] = [publicKey(requiredText(members, 'from')), publicKey(requiredText(members, 'to'))];
  return { from, to, kind, body: bytes };
}

async function read({ query }: HttpRequest, { inbox }: MessageRouteParts): Promise<HttpAnswer> {
  const messages = await inbox.read(maxOf(query));
  return json({
    messages: messages.map(({ id, from, to, kind, body }) => ({
      id,
      from,
      to,
      kind,
      body: toBase64(body),
    })),
  });
}

async function acknowledge({ body }: HttpRequest, { inbox }: MessageRouteParts): Promise<HttpAnswer> {
  const texts = requiredList(parseMembers(body), 'ids');
  if (texts.length > MAX_READ)
    throw new ManagerError('invalid', `ids has ${texts.length} entries; the limit is ${MAX_READ}`);
  await inbox.acknowledge(texts.map(idOf));
  return { status: 200 };
}

const MAX_SEQUENCE = 2n ** 63n - 1n;
const ID = /^([0-9]{1,19})-([0-9]{1,10})$/;

/** @throws ManagerError 400 */
function idOf(text: string): MessageId {
  const [, sequence = '', tag = ''] = ID.exec(text) ?? [];
  const id = { sequence: BigInt(sequence), tag: Number(tag) };
  if (sequence === '' || id.sequence > MAX_SEQUENCE || id.tag >= MAX_TAG) throw badRequest('ids');
  return id;
}

/** @throws ManagerError 400 */
function maxOf(query: URLSearchParams): number {
  const [text = '', ...more] = query.getAll('max');
  const max = Number(text);
  if (more.length > 0 || !/^[0-9]{1,2}$/.test(text) || max < 1 || max > MAX_READ)
    throw new ManagerError('invalid', `max has to be a number from 1 to ${MAX_READ}`);
  return max;
}
