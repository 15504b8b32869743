import { randomInt } from 'node:crypto';
import { CommitGroup, type Database } from '@tetrad/db';
import { keyFromBytes } from '../keys/key-pair.js';
import { MAX_ORDER_AGE_MS, MAX_PAIRS } from '../message/message-bounds.js';
import {
  MAX_TAG,
  type MessageId,
  type MessagePair,
  type OrderedMessage,
  type PartyMessage,
  type ReceivedMessage,
} from '../message/party-message.js';
import { acknowledgeMessages } from './hot/acknowledge-messages.js';
import { nextMessages, type NextBounds } from './hot/next-messages.js';
import { receiveMessages, type UnreadBounds } from './hot/receive-messages.js';
import { takeMessages, type GivenMessage } from './hot/take-messages.js';
import { unreadMessages } from './hot/unread-messages.js';
import { waitingPairs } from './hot/waiting-pairs.js';
import type { ManagerClient } from './manager-client.js';

/** A message that waits for its recipient's manager. */
export interface WaitingMessage extends OrderedMessage {
  readonly id: bigint;
}

/** Maximum number of bytes of bodies in one answer to our node. */
const MAX_READ_BYTES = 4 * 1_048_576;

/** Of messages that one statement stores, and of requests whose messages wait for that. */
const TAKEN = {
  waiting: 1_000,
  group: 64,
  bytes: { of: bytesOf, group: 4 * 1_048_576 },
};

/** Rows of messages between parties. */
export class MessageStore {
  private readonly taken: CommitGroup<readonly GivenMessage[], boolean[]>;

  constructor(
    private readonly database: Pick<Database, 'pool'>,
    private readonly client: ManagerClient['client'],
  ) {
    this.taken = new CommitGroup((lists) => takeLists(database, lists), TAKEN);
  }

  /**
   * Stores messages of our node, with their orders, in one statement, which those that come at the same time share.
   * @param max - of messages of a pair that wait
   * @returns whether there was room, for each
   */
  take(messages: readonly PartyMessage[], max: number): Promise<readonly boolean[]> {
    return this.taken.add(messages.map((message) => ({ ...message, max })));
  }

  /** Pairs for which messages wait, those that wait longest first; at most `MAX_PAIRS`. */
  async waiting(): Promise<MessagePair[]> {
    const rows = await waitingPairs(this.database, MAX_PAIRS);
    return rows.map(({ own, other }) => ({ from: keyFromBytes(own), to: keyFromBytes(other) }));
  }

  /**
   * Forgets messages that the recipient's manager has stored.
   * @param delivered - ids of messages of the pair
   * @returns the messages of the pair that wait longest of the others, within the bounds
   */
  async next(
    { from, to }: MessagePair,
    delivered: readonly bigint[],
    bounds: NextBounds,
  ): Promise<WaitingMessage[]> {
    const rows = await nextMessages(this.database, { from, to }, delivered, bounds);
    return rows.map(({ id, order, kind, body }) => ({
      id: BigInt(id),
      from,
      to,
      order: BigInt(order),
      kind,
      body,
    }));
  }

  /**
   * Drops messages of before, and pairs whose orders are all older than any message that is taken.
   * @returns how many messages were dropped
   */
  async expire(before: Date): Promise<number> {
    const { client } = this;
    const { count } = await client.outgoingMessage.deleteMany({ where: { takenAt: { lt: before } } });
    const oldest = orderAt(Date.now() - 2 * MAX_ORDER_AGE_MS);
    await client.messagePair.deleteMany({
      where: { lastSent: { lt: oldest }, lastReceived: { lt: oldest } },
    });
    return count;
  }

  /**
   * Stores messages for our node and the order of the last one, all in one statement. Those that are not after the last of their pair were
   * stored before, and change nothing.
   * @param pair - from another party to ours
   * @param messages - of the pair, whose orders grow
   * @returns false without room for all of them
   */
  async receive(pair: MessagePair, messages: readonly OrderedMessage[], max: UnreadBounds): Promise<boolean> {
    const tagged = messages.map((message) => ({ ...message, tag: randomInt(MAX_TAG) }));
    // Each time, another request has stored one of the pair meanwhile.
    for (;;) {
      const outcome = await receiveMessages(this.database, pair, tagged, max);
      if (outcome !== 'again') return outcome === 'stored';
    }
  }

  /**
   * @returns the oldest; fewer than asked for where they are long, but at least one if there is one
   */
  async unread(max: number): Promise<ReceivedMessage[]> {
    const rows = await unreadMessages(this.database, max);
    let bytes = 0;
    const fitting = rows.filter(({ body }, index) => {
      bytes += body.length;
      return index === 0 || bytes <= MAX_READ_BYTES;
    });
    return fitting.map(({ sequence, tag, own, other, kind, body }) => ({
      id: `${sequence}-${tag}`,
      from: keyFromBytes(other),
      to: keyFromBytes(own),
      kind,
      body,
    }));
  }

  /**
   * Forgets messages. A sequence alone does not name one: a database that was restored gives it to another message.
   * @param ids - as they were read; others have no effect
   */
  acknowledge(ids: readonly MessageId[]): Promise<void> {
    return acknowledgeMessages(this.database, ids);
  }
}

/** Orders are microseconds since 1970, or one more than the last. */
export function orderAt(ms: number): bigint {
  return BigInt(ms) * 1_000n;
}

function bytesOf(messages: readonly GivenMessage[]): number {
  return messages.reduce((sum, { body }) => sum + body.length, 0);
}

async function takeLists(
  database: Pick<Database, 'pool'>,
  lists: readonly (readonly GivenMessage[])[],
): Promise<boolean[][]> {
  const taken = await takeAll(database, lists.flat());
  return lists.map(({ length }) => taken.splice(0, length));
}

async function takeAll(
  database: Pick<Database, 'pool'>,
  messages: readonly GivenMessage[],
): Promise<boolean[]> {
  const outcomes = await takeMessages(database, messages, orderAt(Date.now()));
  const again = messages.filter((_, index) => outcomes[index] === undefined);
  // Another process has taken messages of these pairs meanwhile.
  const later = again.length === 0 ? [] : await takeAll(database, again);
  return outcomes.map((taken) => taken ?? later.shift() ?? false);
}
