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
import type { MessageId, ReceivedMessage } from './party-message.js';
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
   * Stores a message of a peer for our node; one that was stored before changes nothing.
   * @param address - of the peer
   * @throws ManagerError 400 for what is no message for a key of ours, 403 for a key that no manager has proved to hold, 404
   *   for another recipient, 503 without room, or when its sender's clock is ahead
   */
  async accept(sealed: Uint8Array, address: string): Promise<void> {
    const { enclave, table, store, turns } = this.parts;
    const ends = sealed.length > MAX_SEALED_BYTES ? undefined : endsOf(sealed);
    if (ends === undefined) throw new ManagerError('invalid', 'not a message: its length is wrong');
    if (!enclave.ring.has(ends.to))
      throw new ManagerError('not-found', `Recipient not found for key: ${ends.to}`);
    const holder = table.holderOf(ends.from);
    if (holder === undefined)
      throw new ManagerError('forbidden', `no manager has proved to hold the key ${ends.from}`);
    await turns.of(address).giveWay();
    const message = openMessage(sealed, ends, enclave);
    if (message === undefined) throw new ManagerError('invalid', 'not a message that its sender has sealed');
    refuseOrder(message.order);
    const bounds = table.isConfigured(holder.url)
      ? { ofOne: MAX_UNREAD_OF_ONE, ofAll: MAX_UNREAD, pairs: Infinity }
      : { ofOne: MAX_UNREAD_OF_ONE, ofAll: MAX_UNREAD_OF_STRANGERS, pairs: MAX_PAIRS_OF_STRANGERS };
    if (!(await store.receive(message, bounds)))
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

/** @throws ManagerError 400, 503 */
function refuseOrder(order: bigint): void {
  const now = Date.now();
  if (order < orderAt(now - MAX_ORDER_AGE_MS)) throw new ManagerError('invalid', 'the message is too old');
  if (order > orderAt(now + MAX_ORDER_AHEAD_MS))
    throw new ManagerError('unavailable', 'the clock of the sender is ahead; try again');
}
