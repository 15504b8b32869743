import { randomInt } from 'node:crypto';
import { clientBytes } from '@tetrad/db/client';
import type { PtmKey } from '@tetrad/types';
import { keyFromBytes, keyToBytes } from '../keys/key-pair.js';
import { MAX_ORDER_AGE_MS } from '../message/message-bounds.js';
import {
  MAX_TAG,
  type MessageId,
  type MessagePair,
  type OrderedMessage,
  type PartyMessage,
  type ReceivedMessage,
} from '../message/party-message.js';
import type { ManagerClient } from './manager-client.js';

/** A message that waits for its recipient's manager. */
export interface WaitingMessage extends OrderedMessage {
  readonly id: bigint;
}

/** Bounds of what waits for our node. */
export interface UnreadBounds {
  /** Maximum number of messages of the sender. */
  readonly ofOne: number;
  /** Maximum number of messages of all. */
  readonly ofAll: number;
  /** Maximum number of pairs of keys with which another one is begun. */
  readonly pairs: number;
}

/** Maximum number of pairs that are read at a time. */
const MAX_PAIRS = 1_000;

/** Maximum number of bytes of bodies in one answer to our node. */
const MAX_READ_BYTES = 4 * 1_048_576;

/** Rows of messages between parties. */
export class MessageStore {
  constructor(private readonly rows: ManagerClient) {}

  /**
   * Stores a message of our node, with its order, in one transaction.
   * @param max - of messages of the pair that wait
   * @returns whether there was room
   */
  take({ from, to, kind, body }: PartyMessage, max: number): Promise<boolean> {
    const pair = pairOf(from, to);
    return this.rows.transaction(async (calls) => {
      // The row of the pair is locked by the update, so that orders grow in the order of the rows.
      await calls.messagePair.createMany({ data: [pair], skipDuplicates: true });
      const now = orderAt(Date.now());
      const byClock = { where: { ...pair, lastSent: { lt: now } }, data: { lastSent: now } };
      const { count } = await calls.messagePair.updateMany(byClock);
      const next = { where: { own_other: pair }, data: { lastSent: { increment: count === 1 ? 0 : 1 } } };
      const { lastSent: order } = await calls.messagePair.update(next);
      if ((await calls.outgoingMessage.count({ where: pair, take: max })) === max) return false;
      await calls.outgoingMessage.create({ data: { ...pair, order, kind, body: clientBytes(body) } });
      return true;
    });
  }

  /** Pairs for which messages wait, those that wait longest first. */
  async waiting(): Promise<MessagePair[]> {
    const rows = await this.rows.client.outgoingMessage.groupBy({
      by: ['own', 'other'],
      orderBy: { _min: { id: 'asc' } },
      take: MAX_PAIRS,
    });
    return rows.map(({ own, other }) => ({ from: keyFromBytes(own), to: keyFromBytes(other) }));
  }

  /** The message of a pair that waits longest. */
  async next({ from, to }: MessagePair): Promise<WaitingMessage | undefined> {
    const row = await this.rows.client.outgoingMessage.findFirst({
      where: pairOf(from, to),
      orderBy: { id: 'asc' },
    });
    if (row === null) return undefined;
    const { id, order, kind, body } = row;
    return { id, from, to, order, kind, body };
  }

  /** Forgets a message that the recipient's manager has stored. */
  async delivered(id: bigint): Promise<void> {
    await this.rows.client.outgoingMessage.deleteMany({ where: { id } });
  }

  /**
   * Drops messages of before, and pairs whose orders are all older than any message that is taken.
   * @returns how many messages were dropped
   */
  async expire(before: Date): Promise<number> {
    const { client } = this.rows;
    const { count } = await client.outgoingMessage.deleteMany({ where: { takenAt: { lt: before } } });
    const oldest = orderAt(Date.now() - 2 * MAX_ORDER_AGE_MS);
    await client.messagePair.deleteMany({
      where: { lastSent: { lt: oldest }, lastReceived: { lt: oldest } },
    });
    return count;
  }

  /**
   * Stores a message for our node and its order, in one transaction. One that is not after the last of its pair was stored
   * before, and changes nothing.
   * @returns false without room for it
   */
  receive({ from, to, order, kind, body }: OrderedMessage, max: UnreadBounds): Promise<boolean> {
    const pair = pairOf(to, from);
    return this.rows.transaction(async (calls) => {
      const last = await calls.messagePair.findUnique({ where: { own_other: pair } });
      if (last !== null && last.lastReceived >= order) return true;
      if (
        last === null &&
        Number.isFinite(max.pairs) &&
        (await calls.messagePair.count({ take: max.pairs })) === max.pairs
      )
        return false;
      const ofOne = await calls.incomingMessage.count({ where: { other: pair.other }, take: max.ofOne });
      if (ofOne === max.ofOne) return false;
      if ((await calls.incomingMessage.count({ take: max.ofAll })) === max.ofAll) return false;
      if (last === null) await calls.messagePair.createMany({ data: [pair], skipDuplicates: true });
      const isLater = { where: { ...pair, lastReceived: { lt: order } }, data: { lastReceived: order } };
      // Locks the row: of two requests with one message the second finds it stored.
      const { count } = await calls.messagePair.updateMany(isLater);
      if (count === 1)
        await calls.incomingMessage.create({
          data: { ...pair, tag: randomInt(MAX_TAG), kind, body: clientBytes(body) },
        });
      return true;
    });
  }

  /**
   * @returns the oldest; fewer than asked for where they are long, but at least one if there is one
   */
  async unread(max: number): Promise<ReceivedMessage[]> {
    const rows = await this.rows.client.incomingMessage.findMany({
      orderBy: { sequence: 'asc' },
      take: max,
    });
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
  async acknowledge(ids: readonly MessageId[]): Promise<void> {
    await this.rows.client.incomingMessage.deleteMany({ where: { OR: [...ids] } });
  }
}

/** Orders are microseconds since 1970, or one more than the last. */
export function orderAt(ms: number): bigint {
  return BigInt(ms) * 1_000n;
}

function pairOf(own: PtmKey, other: PtmKey) {
  return { own: clientBytes(keyToBytes(own)), other: clientBytes(keyToBytes(other)) };
}
