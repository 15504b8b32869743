import { backOffMs, type Logger } from '@tetrad/types';
import type { Enclave } from '../enclave/enclave.js';
import { UnknownKeyError } from '../keys/key-ring.js';
import { ManagerError } from '../manager-error.js';
import type { PartyTable } from '../party/party-table.js';
import type { PeerClient } from '../party/peer-client.js';
import type { MessageStore, WaitingMessage } from '../store/message-store.js';
import { joinMessages } from './message-group.js';
import { MAX_GROUP, MAX_GROUP_BYTES, MAX_WAITING_FOR_ONE, MAX_WAIT_MS } from './message-bounds.js';
import type { MessagePair, PartyMessage } from './party-message.js';
import type { PeerAbilities } from './peer-abilities.js';
import { SEAL_BYTES, sealMessage } from './sealed-message.js';
import { WaitingPairs, nameOf } from './waiting-pairs.js';

export interface OutboxParts {
  readonly enclave: Enclave;
  readonly table: Pick<PartyTable, 'find' | 'holderOf'>;
  readonly peers: Pick<PeerClient, 'post'>;
  readonly abilities: Pick<PeerAbilities, 'carriesMessages' | 'takesGroups'>;
  readonly store: Pick<MessageStore, 'take' | 'waiting' | 'next' | 'expire'>;
  readonly logger: Logger;
  /** Time between two looks at what waits. */
  readonly intervalMs: number;
}

/** What became of a message that the node gave. `unsupported`: the recipient's manager carries no messages. */
export type Taken = 'accepted' | 'unsupported' | 'full';

/** Why a message was not taken. */
type Refused = UnknownKeyError | ManagerError;

/** Managers that are served at a time; each has one request under way. */
const MAX_SERVED = 64;

/** Time after which a manager gives way to others that wait. Units: ms */
const TURN_MS = 5_000;
const PAUSES = { firstMs: 1_000, maxMs: 60_000 };
const HOUR_MS = 3_600_000;

/** Bytes of the bodies of one request, whose messages have a length and what seals them each. */
const MAX_BODIES = MAX_GROUP_BYTES - MAX_GROUP * (4 + SEAL_BYTES);

/**
 * Messages of our node, which are delivered to each recipient in their order until its manager has stored them. A manager that is slow,
 * or takes none, holds up its own messages alone.
 */
export class MessageOutbox {
  /** Managers that are being served, by URL. */
  private readonly served = new Map<string, Promise<void>>();
  private readonly failures = new Map<string, { count: number; untilMs: number }>();
  private readonly pairs: WaitingPairs;
  private looking: Promise<void> | undefined;
  private nextExpiryMs = 0;
  private timer: NodeJS.Timeout | undefined;
  private isStopped = false;

  constructor(private readonly parts: OutboxParts) {
    this.pairs = new WaitingPairs(parts.store);
  }

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
   * Stores messages, and has them delivered: all that are not refused in one statement. The recipients' managers may be away.
   * @returns for each what became of it; UnknownKeyError for a sender that is not ours, ManagerError 404 for a recipient whose key
   *   no manager has proved to hold, 400 for one that is ours
   */
  async take(messages: readonly PartyMessage[]): Promise<readonly (Taken | Refused)[]> {
    const refused = messages.map((message) => this.refusalOf(message));
    const given = messages.filter((_, index) => refused[index] === undefined);
    const stored = given.length === 0 ? [] : await this.parts.store.take(given, MAX_WAITING_FOR_ONE);
    const begun = given.filter((_, index) => stored[index] === true);
    for (const message of begun) this.pairs.note(message);
    this.serveDue(new Map(begun.map((message) => [nameOf(message), message])).values());
    const outcomes = stored.map((isStored): Taken => (isStored ? 'accepted' : 'full')).values();
    return refused.map((refusal) => refusal ?? outcomes.next().value ?? 'full');
  }

  private refusalOf({ from, to }: MessagePair): 'unsupported' | Refused | undefined {
    const { enclave, table, abilities } = this.parts;
    if (!enclave.ring.has(from)) return new UnknownKeyError(from);
    if (enclave.ring.has(to)) return new ManagerError('invalid', `to is a key of this manager: ${to}`);
    const holder = table.holderOf(to);
    if (holder === undefined) return new ManagerError('not-found', `Recipient not found for key: ${to}`);
    return abilities.carriesMessages(holder.url) === false ? 'unsupported' : undefined;
  }

  /** Has each manager served for which something waits. */
  private look(): void {
    if (this.looking !== undefined || this.isStopped || this.pairs.isEmpty) return;
    this.looking = this.lookUp()
      .then(() => this.serveDue())
      .catch((error: unknown) =>
        this.parts.logger.warn('messages between parties were not delivered', { error: String(error) }),
      )
      .finally(() => (this.looking = undefined));
  }

  private async lookUp(): Promise<void> {
    await this.expire();
    if (!(await this.pairs.refresh())) return;
    for (const name of [...this.failures.keys()]) if (!this.pairs.has(name)) this.failures.delete(name);
  }

  private async expire(): Promise<void> {
    if (Date.now() < this.nextExpiryMs) return;
    this.nextExpiryMs = Date.now() + HOUR_MS;
    const { store, logger } = this.parts;
    const expired = await store.expire(new Date(Date.now() - MAX_WAIT_MS));
    if (expired === 0) return;
    this.pairs.doubt();
    logger.warn('messages between parties were dropped after a day', { messages: expired });
  }

  /** Those that are due now, by the URL of the recipient's manager, which carries messages. */
  private dueByManager(pairs: Iterable<MessagePair>): ReadonlyMap<string, MessagePair[]> {
    const { table, abilities } = this.parts;
    const found = new Map<string, MessagePair[]>();
    for (const pair of pairs) {
      const url = table.find(pair.to)?.url;
      const isDue = (this.failures.get(nameOf(pair))?.untilMs ?? 0) <= Date.now();
      if (url === undefined || !isDue || abilities.carriesMessages(url) !== true) continue;
      const others = found.get(url);
      if (others === undefined) found.set(url, [pair]);
      else others.push(pair);
    }
    return found;
  }

  /** Serves the managers of those pairs that are due. */
  private serveDue(among: Iterable<MessagePair> = this.pairs.all): void {
    for (const [url, pairs] of this.dueByManager(among)) this.serve(url, pairs);
  }

  private serve(url: string, pairs: readonly MessagePair[]): void {
    if (this.isStopped || this.served.has(url) || this.served.size >= MAX_SERVED) return;
    const serving = this.deliver(url, pairs, Date.now() + TURN_MS)
      .finally(() => this.served.delete(url))
      // What was taken for other pairs meanwhile, and managers that waited for this one.
      .then(() => this.serveDue())
      .catch((error: unknown) => {
        this.pairs.doubt();
        this.parts.logger.warn('messages between parties were not delivered', { url, error: String(error) });
      });
    this.served.set(url, serving);
  }

  private async deliver(url: string, pairs: readonly MessagePair[], endMs: number): Promise<void> {
    for (const pair of pairs) {
      if (this.isStopped || Date.now() > endMs) return;
      await this.deliverOf(pair, url, endMs);
    }
  }

  /** Messages of a pair in their order, since the recipient takes no earlier one after a later one. */
  private async deliverOf(pair: MessagePair, url: string, endMs: number): Promise<void> {
    const delivered: bigint[] = [];
    for (;;) {
      this.pairs.forget(pair);
      const bounds = { max: this.groupFor(pair, url), bytes: MAX_BODIES };
      const messages = await this.parts.store.next(pair, delivered.splice(0), bounds);
      if (messages.length === 0) return;
      this.pairs.note(pair);
      if (this.isStopped || Date.now() > endMs) return;
      if (!(await this.post(url, pair, messages))) return this.failed(pair);
      this.failures.delete(nameOf(pair));
      delivered.push(...messages.map(({ id }) => id));
    }
  }

  /** How many messages a request has: one after a failure, since there may be room for one, or another may be bad. */
  private groupFor(pair: MessagePair, url: string): number {
    return this.parts.abilities.takesGroups(url) && !this.failures.has(nameOf(pair)) ? MAX_GROUP : 1;
  }

  private failed(pair: MessagePair): void {
    const count = (this.failures.get(nameOf(pair))?.count ?? 0) + 1;
    this.failures.set(nameOf(pair), { count, untilMs: Date.now() + backOffMs(count, PAUSES) });
  }

  /** @returns whether it is done: the recipient's manager has stored them, or they cannot be sent any more */
  private async post(
    url: string,
    { from }: MessagePair,
    messages: readonly WaitingMessage[],
  ): Promise<boolean> {
    const { enclave, peers, logger } = this.parts;
    if (!enclave.ring.has(from)) {
      logger.warn('messages of a key that is not here any more were dropped', { key: from });
      return true;
    }
    try {
      const [first, ...others] = messages.map((message) => sealMessage(message, enclave));
      if (first === undefined) return true;
      const { status, text } = await (others.length === 0
        ? peers.post(url, 'partymessage', first)
        : peers.post(url, 'partymessages', joinMessages([first, ...others])));
      if (status !== 200) logger.debug('messages were not taken', { url, status, text: text.slice(0, 200) });
      return status === 200;
    } catch (error) {
      logger.debug('messages were not delivered', { url, error: String(error) });
      return false;
    }
  }
}
