import { backOffMs, type Logger } from '@tetrad/types';
import type { Enclave } from '../enclave/enclave.js';
import { UnknownKeyError } from '../keys/key-ring.js';
import { ManagerError } from '../manager-error.js';
import type { PartyTable } from '../party/party-table.js';
import type { PeerClient } from '../party/peer-client.js';
import type { MessageStore, WaitingMessage } from '../store/message-store.js';
import { MAX_WAITING_FOR_ONE, MAX_WAIT_MS } from './message-bounds.js';
import type { MessagePair, PartyMessage } from './party-message.js';
import type { PeerAbilities } from './peer-abilities.js';
import { sealMessage } from './sealed-message.js';

export interface OutboxParts {
  readonly enclave: Enclave;
  readonly table: Pick<PartyTable, 'find' | 'holderOf'>;
  readonly peers: Pick<PeerClient, 'post'>;
  readonly abilities: Pick<PeerAbilities, 'carriesMessages'>;
  readonly store: Pick<MessageStore, 'take' | 'waiting' | 'next' | 'delivered' | 'expire'>;
  readonly logger: Logger;
  /** Time between two looks at what waits. */
  readonly intervalMs: number;
}

/** What became of a message that the node gave. `unsupported`: the recipient's manager carries no messages. */
export type Taken = 'accepted' | 'unsupported' | 'full';

/** Managers that are served at a time; each has one request under way. */
const MAX_SERVED = 64;

/** Time after which a manager gives way to others that wait. Units: ms */
const TURN_MS = 5_000;
const PAUSES = { firstMs: 1_000, maxMs: 60_000 };
const HOUR_MS = 3_600_000;

/**
 * Messages of our node, which are delivered to each recipient in their order until its manager has stored them. A manager that is slow,
 * or takes none, holds up its own messages alone.
 */
export class MessageOutbox {
  /** Managers that are being served, by URL. */
  private readonly served = new Map<string, Promise<void>>();
  private readonly failures = new Map<string, { count: number; untilMs: number }>();
  private looking: Promise<void> | undefined;
  /** Whether something may wait, so that an idle manager asks its database nothing. */
  private isDue = true;
  private nextExpiryMs = 0;
  private timer: NodeJS.Timeout | undefined;
  private isStopped = false;

  constructor(private readonly parts: OutboxParts) {}

  start(): void {
    this.timer = setInterval(() => this.look(), this.parts.intervalMs);
    this.look();
  }

  /** Resolves when nothing is under way. */
  async stop(): Promise<void> {
    this.isStopped = true;
    clearInterval(this.timer);
    await this.looking;
    await Promise.all(this.served.values());
  }

  /**
   * Stores a message and has it delivered. The recipient's manager may be away.
   * @throws UnknownKeyError for a sender that is not ours; ManagerError 404 for a recipient whose key no manager has
   *   proved to hold
   */
  async take(message: PartyMessage): Promise<Taken> {
    const { enclave, table, abilities, store } = this.parts;
    if (!enclave.ring.has(message.from)) throw new UnknownKeyError(message.from);
    if (enclave.ring.has(message.to))
      throw new ManagerError('invalid', `to is a key of this manager: ${message.to}`);
    const holder = table.holderOf(message.to);
    if (holder === undefined)
      throw new ManagerError('not-found', `Recipient not found for key: ${message.to}`);
    if (abilities.carriesMessages(holder.url) === false) return 'unsupported';
    if (!(await store.take(message, MAX_WAITING_FOR_ONE))) return 'full';
    this.isDue = true;
    this.look();
    return 'accepted';
  }

  /** Finds what waits, and has each manager served for which something does. */
  private look(): void {
    if (this.looking !== undefined || this.isStopped || !this.isDue) return;
    this.looking = this.serveAll()
      .catch((error: unknown) =>
        this.parts.logger.warn('messages between parties were not delivered', { error: String(error) }),
      )
      .finally(() => (this.looking = undefined));
  }

  private async serveAll(): Promise<void> {
    this.isDue = false;
    try {
      await this.expire();
      const waiting = await this.parts.store.waiting();
      // One that is taken meanwhile may not be among them, and has to be looked for again.
      if (waiting.length > 0) this.isDue = true;
      this.forgetFailures(waiting);
      for (const [url, pairs] of this.byManager(waiting)) this.serve(url, pairs);
    } catch (error) {
      this.isDue = true;
      throw error;
    }
  }

  /** Of pairs for which nothing waits any more. */
  private forgetFailures(waiting: readonly MessagePair[]): void {
    const names = new Set(waiting.map(nameOf));
    for (const name of [...this.failures.keys()]) if (!names.has(name)) this.failures.delete(name);
  }

  private async expire(): Promise<void> {
    if (Date.now() < this.nextExpiryMs) return;
    this.nextExpiryMs = Date.now() + HOUR_MS;
    const { store, logger } = this.parts;
    const expired = await store.expire(new Date(Date.now() - MAX_WAIT_MS));
    if (expired > 0) logger.warn('messages between parties were dropped after a day', { messages: expired });
  }

  /** Those that are due now, by the URL of the recipient's manager, which carries messages. */
  private byManager(waiting: readonly MessagePair[]): ReadonlyMap<string, MessagePair[]> {
    const { table, abilities } = this.parts;
    const found = new Map<string, MessagePair[]>();
    for (const pair of waiting) {
      const url = table.find(pair.to)?.url;
      const isDue = (this.failures.get(nameOf(pair))?.untilMs ?? 0) <= Date.now();
      if (url === undefined || !isDue || abilities.carriesMessages(url) !== true) continue;
      found.set(url, [...(found.get(url) ?? []), pair]);
    }
    return found;
  }

  private serve(url: string, pairs: readonly MessagePair[]): void {
    if (this.isStopped || this.served.has(url) || this.served.size >= MAX_SERVED) return;
    const serving = this.deliver(url, pairs, Date.now() + TURN_MS)
      .catch((error: unknown) =>
        this.parts.logger.warn('messages between parties were not delivered', { url, error: String(error) }),
      )
      .finally(() => this.served.delete(url));
    this.served.set(url, serving);
  }

  /** Messages of each pair in their order, since the recipient takes no earlier one after a later one. */
  private async deliver(url: string, pairs: readonly MessagePair[], endMs: number): Promise<void> {
    const { store } = this.parts;
    for (const pair of pairs) {
      for (;;) {
        if (this.isStopped || Date.now() > endMs) return;
        const message = await store.next(pair);
        if (message === undefined) break;
        if (!(await this.post(url, message))) {
          this.failed(pair);
          break;
        }
        this.failures.delete(nameOf(pair));
        await store.delivered(message.id);
      }
    }
  }

  private failed(pair: MessagePair): void {
    const count = (this.failures.get(nameOf(pair))?.count ?? 0) + 1;
    this.failures.set(nameOf(pair), { count, untilMs: Date.now() + backOffMs(count, PAUSES) });
  }

  /** @returns whether it is done: the recipient's manager has stored it, or it cannot be sent any more */
  private async post(url: string, message: WaitingMessage): Promise<boolean> {
    const { enclave, peers, logger } = this.parts;
    if (!enclave.ring.has(message.from)) {
      logger.warn('a message of a key that is not here any more was dropped', { key: message.from });
      return true;
    }
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

function nameOf({ from, to }: MessagePair): string {
  return from + to;
}
