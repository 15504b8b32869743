import { readJson } from '@tetrad/rpc';
import { isPtmKey, type PtmKey } from '@tetrad/types';
import { z } from 'zod';
import { MAX_TEXT, type Outcome } from './outcome.js';
import { base64 } from './requests.js';

/** A short message from the node of one party to that of another. */
export interface PartyMessage {
  /** A key of the sender's manager. */
  readonly from: PtmKey;
  /** A key of the recipient's manager. */
  readonly to: PtmKey;
  /** Which part of the node it is for: 1 to 32 of a to z, 0 to 9 and `-`. */
  readonly kind: string;
  /** At most 65,536 bytes. */
  readonly body: Uint8Array;
}

/** A message that has come. The manager has proof that the sender is who it says, and keeps it until it is acknowledged. */
export interface ReceivedMessage extends PartyMessage {
  /** By which it is acknowledged. */
  readonly id: string;
}

/**
 * What the manager did with a message: `accepted` when it is stored, to be delivered within a day; `unsupported` when the
 * recipient's manager carries no messages; `full` when too many wait for the recipient.
 */
export type MessageOutcome = 'accepted' | 'unsupported' | 'full';

/** Maximum number of messages that are read or acknowledged at a time. */
export const MAX_MESSAGES = 64;

/** Maximum number of bytes of the bodies of those that are sent at a time. */
export const MAX_MESSAGES_BYTES = 1_048_576;

const MAX_DEPTH = 8;
const MAX_BODY_BYTES = 65_536;

const key = z.string().refine((text): text is PtmKey => isPtmKey(text), 'not a public key');
const taken = z.looseObject({ outcome: z.enum(['accepted', 'unsupported', 'full']) });
const refused = z.looseObject({ status: z.int().min(400).max(599), text: z.string() });
const takenAll = z.looseObject({ outcomes: z.array(z.union([taken, refused])).max(MAX_MESSAGES) });
const unread = z.looseObject({
  messages: z
    .array(
      z.looseObject({
        id: z.string().max(32),
        from: key,
        to: key,
        kind: z.string().max(32),
        body: z.base64().max(2 * MAX_BODY_BYTES),
      }),
    )
    .max(MAX_MESSAGES),
});

export function messageBody(message: PartyMessage): string {
  return JSON.stringify(membersOf(message));
}

export function messagesBody(messages: readonly PartyMessage[]): string {
  return JSON.stringify({ messages: messages.map(membersOf) });
}

function membersOf({ from, to, kind, body }: PartyMessage): object {
  return { from, to, kind, body: base64(body) };
}

export function acknowledgeBody(ids: readonly string[]): string {
  return JSON.stringify({ ids });
}

/** @throws Error when the answer has another shape */
export function readTaken(body: Uint8Array): MessageOutcome {
  return taken.parse(readJson(body, MAX_DEPTH)).outcome;
}

/**
 * What became of each of so many messages.
 * @throws Error when the answer has another shape
 */
export function readTakenAll(body: Uint8Array, count: number): Outcome<MessageOutcome>[] {
  const { outcomes } = takenAll.parse(readJson(body, MAX_DEPTH));
  if (outcomes.length !== count) throw new Error(`${outcomes.length} outcomes for ${count} messages`);
  return outcomes.map((one) => {
    if ('outcome' in one) return { kind: 'done', value: one.outcome as MessageOutcome };
    return { kind: 'refused', status: one.status, text: one.text.slice(0, MAX_TEXT) };
  });
}

/** @throws Error when the answer has another shape */
export function readMessages(body: Uint8Array): ReceivedMessage[] {
  return unread.parse(readJson(body, MAX_DEPTH)).messages.map(({ id, from, to, kind, body: text }) => ({
    id,
    from,
    to,
    kind,
    body: Buffer.from(text, 'base64'),
  }));
}
