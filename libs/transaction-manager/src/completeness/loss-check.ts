import type { Logger } from '@tetrad/types';
import type { Enclave } from '../enclave/enclave.js';
import { openForKeeping } from '../manager/accept-push.js';
import type { RequestTurn } from '../manager/request-turns.js';
import { ManagerError } from '../manager-error.js';
import type { PartyExchange } from '../party/party-exchange.js';
import { PeerUnreachableError, type PeerClient } from '../party/peer-client.js';
import { payloadHash, type EncodedPayload } from '../payload/encoded-payload.js';
import type { PayloadStore } from '../store/payload-store.js';
import { REMEDY, type Completeness } from './completeness.js';
import { readIncompleteness, type Incompleteness } from './incomplete-answer.js';
import { managersToAsk, type AskableParts } from './managers-to-ask.js';

export interface LossCheckParts extends AskableParts {
  readonly completeness: Completeness;
  readonly exchange: Pick<PartyExchange, 'announceToAll'>;
  readonly peers: Pick<PeerClient, 'get' | 'postJson'>;
  readonly enclave: Enclave;
  readonly store: PayloadStore;
  readonly turn: RequestTurn;
  readonly logger: Logger;
  /** Before the managers that did not answer are asked again. */
  readonly intervalMs: number;
}

/** Payloads of a batch that a peer would send; the first one that is not here ends what it sends. */
const BATCH_SIZE = 10;
const ANSWER_TIMEOUT_MS = 60_000;
/** URLs that a text names. */
const NAMED = 3;
/** Most turns for which a manager in doubt is not asked. */
const MAX_REST = 63;
/** Why a manager that has sent all it has may have lost the rest. */
const LOSSES: Readonly<Record<Incompleteness, string>> = {
  restored: 'its database was restored',
  unchecked: 'its database began empty, and it has not heard all of its peers',
};

/** Turns for which a manager is not asked. */
interface Rest {
  readonly turns: number;
  readonly left: number;
  readonly state: Incompleteness;
}

/** What a manager said that sent nothing which is not here: that it may have lost payloads, or why it did not answer. */
type Doubt = { readonly state: Incompleteness } | { readonly failure: string };

/**
 * Finds out whether a manager whose database began empty is new, or lost its payloads: every manager that may hold
 * payloads for its keys is asked to send them, none is taken, and each that comes is compared with what is here. A lost
 * payload that no peer has any more stays unknown. One that recovered waits in the same way until the managers that sent
 * to it know that they have all of theirs.
 */
export class LossCheck {
  private timer: NodeJS.Timeout | undefined;
  private underWay: Promise<void> | undefined;
  /** Managers that hold nothing that is not here. What came since, they sent while this manager was there to take it. */
  private readonly answered = new Set<string>();
  /** Managers that may have lost payloads themselves: each question makes them send everything. */
  private readonly resting = new Map<string, Rest>();
  /** Payloads that came during a question to a manager and are not here. */
  private unknown = 0;

  constructor(private readonly parts: LossCheckParts) {}

  /** Asks now and at intervals, while it is not settled. */
  start(): void {
    const { completeness, table, intervalMs } = this.parts;
    // What was true of them may not be after a recovery.
    this.answered.clear();
    this.resting.clear();
    if (completeness.isUnchecked && table.urlsOfParties.length > 0)
      completeness.leaveOpen('its peers have not been asked yet');
    this.timer = setInterval(() => this.turn(), intervalMs);
    this.turn();
  }

  /**
   * Resolves when no question is under way.
   * @returns whether it had been started
   */
  async stop(): Promise<boolean> {
    const wasStarted = this.timer !== undefined;
    clearInterval(this.timer);
    this.timer = undefined;
    await this.underWay;
    return wasStarted;
  }

  /** Whether peers may send what they were asked for. */
  get isRunning(): boolean {
    return this.underWay !== undefined && this.parts.completeness.isUnchecked;
  }

  /**
   * Looks at payloads of a peer that was asked, and keeps none.
   * @throws ManagerError when one of them is not here
   */
  async acceptBatch(payloads: readonly EncodedPayload[]): Promise<void> {
    const { enclave, store, turn } = this.parts;
    for (const payload of payloads) {
      if ((await openForKeeping(payload, { enclave, turn, recovering: true })) === undefined) continue;
      if ((await store.find(payloadHash(payload))) !== undefined) continue;
      this.unknown += 1;
      throw new ManagerError('unavailable', 'payloads that were lost are not taken before a recovery');
    }
  }

  private turn(): void {
    this.underWay ??= this.check()
      .catch((error: unknown) =>
        this.parts.logger.warn('could not find out whether payloads were lost', { error: String(error) }),
      )
      .finally(() => (this.underWay = undefined));
  }

  private async check(): Promise<void> {
    const { completeness, table, exchange } = this.parts;
    if (completeness.isSettled) return;
    // The operator may have declared that nothing was lost.
    await completeness.refresh();
    if (!completeness.isUnchecked) return;
    const urls = await managersToAsk(this.parts);
    table.addParties(urls);
    // They send only to where they know our keys to be.
    await exchange.announceToAll();
    const open: string[] = [];
    for (const url of urls.filter((one) => !this.answered.has(one))) {
      if (this.timer === undefined) return;
      const question = this.rest(url) ?? (await this.ask(url));
      if (question === undefined) this.answered.add(url);
      else open.push(question);
    }
    if (open.length > 0) return completeness.leaveOpen(textOf(open, completeness.isUnconfirmed));
    if (urls.length > 0) await completeness.settle(completeness.isUnconfirmed ? 'recovered' : 'new');
    else completeness.leaveOpen(undefined);
  }

  /** @returns what is not known of the manager; undefined when it holds nothing that is not here */
  private async ask(url: string): Promise<string | undefined> {
    this.unknown = 0;
    for (const publicKey of this.parts.enclave.ring.keys) {
      const doubt = await this.askFor(url, publicKey);
      if (this.unknown > 0) return `${url} holds payloads for ${publicKey} that are not here`;
      if (doubt === undefined) continue;
      return 'state' in doubt
        ? this.leave(url, doubt.state)
        : `${url} does not say what it holds (${doubt.failure})`;
    }
    return undefined;
  }

  /** @returns what is not known of a manager that is not asked this time */
  private rest(url: string): string | undefined {
    const rest = this.resting.get(url);
    if (rest === undefined || rest.left === 0) return undefined;
    this.resting.set(url, { ...rest, left: rest.left - 1 });
    return mayHaveLost(url, rest.state);
  }

  /**
   * The manager is asked again later, each time twice as late.
   * @returns what is not known of it
   */
  private leave(url: string, state: Incompleteness): string {
    const turns = Math.min((this.resting.get(url)?.turns ?? 0) * 2 + 1, MAX_REST);
    this.resting.set(url, { turns, left: turns, state });
    return mayHaveLost(url, state);
  }

  private async askFor(url: string, publicKey: string): Promise<Doubt | undefined> {
    try {
      const request = { publicKey, batchSize: BATCH_SIZE };
      const answer = await this.parts.peers.postJson(url, 'resendBatch', request, ANSWER_TIMEOUT_MS);
      if (answer.status !== 200) return { failure: `${answer.status} ${answer.text.slice(0, 100)}`.trim() };
      const state = readIncompleteness(answer.headers);
      // Of two that began empty neither waits for the other, or else no new network could begin.
      if (state === undefined || (state === 'unchecked' && !this.parts.completeness.isUnconfirmed))
        return undefined;
      return { state };
    } catch (error) {
      if (error instanceof PeerUnreachableError) return { failure: 'no answer' };
      throw error;
    }
  }
}

function mayHaveLost(url: string, state: Incompleteness): string {
  return `${url} may have lost payloads itself: ${LOSSES[state]}`;
}

/**
 * @param open - what is not known of each manager
 * @param recovered - whether this one has recovered what they have
 */
function textOf(open: readonly string[], recovered: boolean): string {
  const named = open.slice(0, NAMED).join('; ');
  const more = open.length > NAMED ? `; and ${open.length - NAMED} more` : '';
  const begin = recovered ? 'payloads were recovered from all peers' : 'the database began empty';
  return `${begin}, and ${named}${more}: ${REMEDY}`;
}
