import { setTimeout as delay } from 'node:timers/promises';
import { backOffMs, type Logger, type PtmKey } from '@tetrad/types';
import type { Enclave } from '../enclave/enclave.js';
import { UnknownKeyError } from '../keys/key-ring.js';
import { ManagerError } from '../manager-error.js';
import type { PartyTable } from '../party/party-table.js';
import type { PeerClient } from '../party/peer-client.js';
import type { MessageStore, WaitingMessage } from '../store/message-store.js';
import { MAX_WAITING_FOR_ONE, MAX_WAIT_MS } from './message-bounds.js';
import type { PartyMessage } from './party-message.js';
import type { PeerAbilities } from './peer-abilities.js';
import { sealMessage } from './sealed-message.js';

export interface OutboxParts {
  readonly enclave: Enclave;
  readonly table: Pick<PartyTable, 'find'>;
  readonly peers: Pick<PeerClient, 'post'>;
  readonly abilities: Pick<PeerAbilities, 'carriesMessages'>;
  readonly store: Pick<MessageStore, 'take' | 'recipients' | 'next' | 'delivered' | 'expire'>;
  readonly logger: Logger;
  /** Time between rounds, in each of which every recipient that is due is tried. */
  readonly intervalMs: number;
}

/** What became of a message that the node gave. `unsupported`: the recipient's manager carries no messages. */
export type Taken = 'accepted' | 'unsupported' | 'full';

/** Recipients that are served at a time. */
const MAX_AT_ONCE = 8;
const PAUSES = { firstMs: 1_000, maxMs: 60_000 };

/** Messages of our node, which are delivered to each recipient in their order until its manager has stored them. */
export class MessageOutbox {
  private readonly failures = new Map<PtmKey, { count: number; untilMs: number }>();
  private round: Promise<void> | undefined;
  private isDue = false;
  /** Whether nothing waited at the end of the last round, so that an idle manager asks its database nothing. */
  private isEmpty = false;
  private timer: NodeJS.Timeout | undefined;
  private isStopped = false;

  constructor(private readonly parts: OutboxParts) {}

  start(): void {
    this.timer = setInterval(() => this.isEmpty || this.deliver(), this.parts.intervalMs);
    this.deliver();
  }

  /** Resolves when nothing is under way. */
  async stop(): Promise<void> {
    this.isStopped = true;
    clearInterval(this.timer);
    await this.round;
  }

  /**
   * Stores a message and has it delivered.
   * @throws UnknownKeyError for a sender that is not ours; ManagerError 404 for a recipient that no manager holds
   */
  async take(message: PartyMessage): Promise<Taken> {
    const { enclave, table, abilities, store } = this.parts;
    if (!enclave.ring.has(message.from)) throw new UnknownKeyError(message.from);
    if (enclave.ring.has(message.to))
      throw new ManagerError('invalid', `to is a key of this manager: ${message.to}`);
    const party = table.find(message.to);
    if (party === undefined)
      throw new ManagerError('not-found', `Recipient not found for key: ${message.to}`);
    if (abilities.carriesMessages(party.url) === false) return 'unsupported';
    if (!(await store.take(message, MAX_WAITING_FOR_ONE))) return 'full';
    this.deliver();
    return 'accepted';
  }

  /** Begins a round, or another one after that which is under way. */
  private deliver(): void {
    this.isDue = true;
    this.isEmpty = false;
    if (this.round !== undefined || this.isStopped) return;
    this.round = this.rounds().finally(() => (this.round = undefined));
  }

  private async rounds(): Promise<void> {
    while (this.isDue && !this.isStopped) {
      this.isDue = false;
      try {
        await this.deliverToAll();
      } catch (error) {
        this.parts.logger.warn('messages between parties were not delivered', { error: String(error) });
        await delay(this.parts.intervalMs);
      }
    }
  }

  private async deliverToAll(): Promise<void> {
    const { store, logger } = this.parts;
    const expired = await store.expire(new Date(Date.now() - MAX_WAIT_MS));
    if (expired > 0) logger.warn('messages between parties were dropped after a day', { messages: expired });
    const recipients = await store.recipients();
    this.isEmpty = recipients.length === 0;
    const waiting = recipients.filter((key) => this.isDueNow(key)).values();
    const serve = async () => {
      for (const key of waiting) await this.deliverTo(key);
    };
    await Promise.all(Array.from({ length: MAX_AT_ONCE }, serve));
  }

  private isDueNow(key: PtmKey): boolean {
    return (this.failures.get(key)?.untilMs ?? 0) <= Date.now();
  }

  /** Until none is left, or one is not taken: later ones wait behind it, as the recipient takes no earlier one after them. */
  private async deliverTo(recipient: PtmKey): Promise<void> {
    const { store } = this.parts;
    for (;;) {
      const message = await store.next(recipient);
      if (message === undefined || this.isStopped) break;
      if (!(await this.post(message))) return this.failed(recipient);
      await store.delivered(message.id);
    }
    this.failures.delete(recipient);
  }

  private failed(recipient: PtmKey): void {
    const count = (this.failures.get(recipient)?.count ?? 0) + 1;
    this.failures.set(recipient, { count, untilMs: Date.now() + backOffMs(count, PAUSES) });
  }

  /** @returns whether the recipient's manager has stored it */
  private async post(message: WaitingMessage): Promise<boolean> {
    const { enclave, table, peers, abilities, logger } = this.parts;
    const url = table.find(message.to)?.url;
    if (url === undefined || abilities.carriesMessages(url) !== true) return false;
    try {
      const { status, text } = await peers.post(url, 'partymessage', sealMessage(message, enclave));
      if (status !== 200) logger.debug('a message was not taken', { url, status, text: text.slice(0, 200) });
      return status === 200;
    } catch (error) {
      logger.debug('a message was not delivered', { url, error: String(error) });
      return false;
    }
  }
}
