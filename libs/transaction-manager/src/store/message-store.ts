import { clientBytes } from '@tetrad/db/client';
import type { PtmKey } from '@tetrad/types';
import { keyFromBytes, keyToBytes } from '../keys/key-pair.js';
import type { OrderedMessage, PartyMessage, ReceivedMessage } from '../message/party-message.js';
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

/** Maximum number of recipients that are served in a round. */
const MAX_RECIPIENTS = 1_000;

/** Maximum number of bytes of bodies in one answer to our node. */
const MAX_READ_BYTES = 4 * 1_048_576;

/** Rows of messages between parties. */
export class MessageStore {
  constructor(private readonly rows: ManagerClient) {}

  /**
   * Stores a message of our node, with its order, in one transaction.
   * @param max - of messages that wait for the recipient
   * @returns whether there was room
   */
  take({ from, to, kind, body }: PartyMessage, max: number): Promise<boolean> {
    const pair = pairOf(from, to);
    return this.rows.transaction(async (calls) => {
      // The row of the pair is locked by the update, so that orders grow in the order of the rows.
      await calls.messagePair.createMany({ data: [pair], skipDuplicates: true });
      const now = BigInt(Date.now()) * 1_000n;
      const byClock = { where: { ...pair, lastSent: { lt: now } }, data: { lastSent: now } };
      const { count } = await calls.messagePair.updateMany(byClock);
      const next = { where: { own_other: pair }, data: { lastSent: { increment: count === 1 ? 0 : 1 } } };
      const { lastSent: order } = await calls.messagePair.update(next);
      if ((await calls.outgoingMessage.count({ where: { other: pair.other }, take: max })) === max)
        return false;
      await calls.outgoingMessage.create({ data: { ...pair, order, kind, body: clientBytes(body) } });
      return true;
    });
  }

  /** Keys that messages wait for. */
  async recipients(): Promise<PtmKey[]> {
    const rows = await this.rows.client.outgoingMessage.findMany({
      select: { other: true },
      distinct: ['other'],
      orderBy: { other: 'asc' },
      take: MAX_RECIPIENTS,
    });
    return rows.map(({ other }) => keyFromBytes(other));
  }

  /** The message that waits longest for a key. */
  async next(recipient: PtmKey): Promise<WaitingMessage | undefined> {
    const row = await this.rows.client.outgoingMessage.findFirst({
      where: { other: clientBytes(keyToBytes(recipient)) },
      orderBy: { id: 'asc' },
    });
    if (row === null) return undefined;
    const { id, own, order, kind, body } = row;
    return { id, from: keyFromBytes(own), to: recipient, order, kind, body };
  }

  /** Forgets a message that the recipient's manager has stored. */
  async delivered(id: bigint): Promise<void> {
    await this.rows.client.outgoingMessage.deleteMany({ where: { id } });
  }

  /** @returns how many messages of before were dropped */
  async expire(before: Date): Promise<number> {
    const { count } = await this.rows.client.outgoingMessage.deleteMany({
      where: { takenAt: { lt: before } },
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
        await calls.incomingMessage.create({ data: { ...pair, kind, body: clientBytes(body) } });
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
    return fitting.map(({ sequence, own, other, kind, body }) => ({
      sequence,
      from: keyFromBytes(other),
      to: keyFromBytes(own),
      kind,
      body,
    }));
  }

  /** Forgets these messages, and no others: one with a lower sequence may be stored after one with a higher. */
  async acknowledge(sequences: readonly bigint[]): Promise<void> {
    await this.rows.client.incomingMessage.deleteMany({ where: { sequence: { in: [...sequences] } } });
  }
}

function pairOf(own: PtmKey, other: PtmKey) {
  return { own: clientBytes(keyToBytes(own)), other: clientBytes(keyToBytes(other)) };
}
