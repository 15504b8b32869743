import type { Enclave } from '../enclave/enclave.js';
import { ManagerError } from '../manager-error.js';
import type { RequestTurns } from '../manager/request-turns.js';
import type { PartyTable } from '../party/party-table.js';
import { orderAt, type MessageStore } from '../store/message-store.js';
import {
  MAX_ORDER_AGE_MS,
  MAX_ORDER_AHEAD_MS,
  MAX_PAIRS_OF_STRANGERS,
  MAX_UNREAD,
  MAX_UNREAD_OF_ONE,
  MAX_UNREAD_OF_STRANGERS,
} from './message-bounds.js';
import type { MessageId, MessagePair, OrderedMessage, ReceivedMessage } from './party-message.js';
import { MAX_SEALED_BYTES, endsOf, openMessage } from './sealed-message.js';

export interface InboxParts {
  readonly enclave: Enclave;
  readonly table: Pick<PartyTable, 'holderOf' | 'isConfigured'>;
  readonly store: Pick<MessageStore, 'receive' | 'unread' | 'acknowledge'>;
  readonly turns: RequestTurns;
}

/** Messages of other parties for our node. */
export class MessageInbox {
  constructor(private readonly parts: InboxParts) {}

  /**
   * Stores messages of a peer for our node, all or none; those that were stored before change nothing.
   * @param sealed - one, or several of one pair of keys in their order
   * @param address - of the peer
   * @throws ManagerError 400 for what is no message for a key of ours, 403 for a key that no manager has proved to hold, 404
   *   for another recipient, 503 without room, or when its sender's clock is ahead
   */
  async accept(sealed: readonly Uint8Array[], address: string): Promise<void> {
    const { enclave, table, store, turns } = this.parts;
    const ends = endsOfAll(sealed);
    if (!enclave.ring.has(ends.to))
      throw new ManagerError('not-found', `Recipient not found for key: ${ends.to}`);
    const holder = table.holderOf(ends.from);
    if (holder === undefined)
      throw new ManagerError('forbidden', `no manager has proved to hold the key ${ends.from}`);
    const messages: OrderedMessage[] = [];
    for (const [index, one] of sealed.entries()) {
      await turns.of(address).giveWay();
      const message = openMessage(one, ends, enclave);
      const refusal = refusalOf(message, messages.at(-1));
      if (message === undefined || refusal !== undefined) throw refused(refusal ?? UNSEALED, index, sealed);
      messages.push(message);
    }
    const bounds = table.isConfigured(holder.url)
      ? { ofOne: MAX_UNREAD_OF_ONE, ofAll: MAX_UNREAD, pairs: Infinity }
      : { ofOne: MAX_UNREAD_OF_ONE, ofAll: MAX_UNREAD_OF_STRANGERS, pairs: MAX_PAIRS_OF_STRANGERS };
    if (!(await store.receive(ends, messages, bounds)))
      throw new ManagerError('unavailable', 'too many messages wait for the node; try again');
  }

  /** The messages that wait longest, those of two keys in their order. */
  read(max: number): Promise<ReceivedMessage[]> {
    return this.parts.store.unread(max);
  }

  /** Forgets messages that the node has done, or stored. */
  acknowledge(ids: readonly MessageId[]): Promise<void> {
    return this.parts.store.acknowledge(ids);
  }
}

type Refusal = readonly [kind: 'invalid' | 'unavailable', text: string];

const UNSEALED: Refusal = ['invalid', 'not a message that its sender has sealed'];

/**
 * The pair of all.
 * @throws ManagerError 400
 */
function endsOfAll(sealed: readonly Uint8Array[]): MessagePair {
  const all = sealed.map((one, index) => {
    const ends = one.length > MAX_SEALED_BYTES ? undefined : endsOf(one);
    if (ends === undefined) throw refused(['invalid', 'not a message: its length is wrong'], index, sealed);
    return ends;
  });
  const [first] = all;
  if (first === undefined) throw new ManagerError('invalid', 'there is no message');
  const stray = all.findIndex(({ from, to }) => from !== first.from || to !== first.to);
  if (stray !== -1) throw refused(['invalid', 'not of the same two keys as the first'], stray, sealed);
  return first;
}

/** Why a message is refused; a host on the way could join others than the sender did. */
function refusalOf(
  message: OrderedMessage | undefined,
  before: OrderedMessage | undefined,
): Refusal | undefined {
  if (message === undefined) return UNSEALED;
  const [{ order }, now] = [message, Date.now()];
  if (order < orderAt(now - MAX_ORDER_AGE_MS)) return ['invalid', 'the message is too old'];
  if (order > orderAt(now + MAX_ORDER_AHEAD_MS))
    return ['unavailable', 'the clock of the sender is ahead; try again'];
  return before !== undefined && order <= before.order
    ? ['invalid', 'its order is not after the one before']
    : undefined;
}

/** Names the message where there are several. */
function refused([kind, text]: Refusal, index: number, { length }: readonly unknown[]): ManagerError {
  return new ManagerError(kind, length === 1 ? text : `message ${index + 1} of ${length}: ${text}`);
}
