import { systemClock, type Logger } from '@tetrad/types';
import type { Enclave } from '../enclave/enclave.js';
import { openForKeeping } from '../manager/accept-push.js';
import type { RequestTurn } from '../manager/request-turns.js';
import { ManagerError } from '../manager-error.js';
import type { PartyExchange } from '../party/party-exchange.js';
import { PeerUnreachableError, type PeerAnswer, type PeerClient } from '../party/peer-client.js';
import { payloadHash, type EncodedPayload } from '../payload/encoded-payload.js';
import type { PayloadStore } from '../store/payload-store.js';
import { REMEDY, type Completeness } from './completeness.js';
import { readIncompleteness, type Incompleteness } from './incomplete-answer.js';
import { managersToAsk, type AskableParts } from './managers-to-ask.js';
import { ResendQuestion, type ResendLimits, type ResendQuestionParts } from './resend-question.js';
import { RestingManagers } from './resting-managers.js';

export interface LossCheckParts extends AskableParts, ResendQuestionParts {
  readonly completeness: Completeness;
  readonly exchange: Pick<PartyExchange, 'announceToAll'>;
  readonly peers: Pick<PeerClient, 'get' | 'postJson'>;
  readonly enclave: Enclave;
  readonly store: Pick<PayloadStore, 'has'>;
  readonly turn: RequestTurn;
  readonly logger: Logger;
  /** Before the managers that did not answer are asked again. */
  readonly intervalMs: number;
}

/** Payloads of a batch that a peer would send; the first one that is not here ends what it sends. */
const BATCH_SIZE = 100;
/** For a manager that did not manage: 100 payloads may be more than a request here may have. */
const SMALL_BATCH_SIZE = 10;
const LIMITS: ResendLimits = { idleMs: 60_000, wholeMs: 3_600_000 };
/** For a manager that was silent before: an existing one looks at its whole store for the first batch. Units: ms */
const MAX_IDLE_MS = 600_000;
/** Time that a manager has to end what it sends when a stop begins. Units: ms */
const STOP_MS = 5_000;
/** URLs that a text names. */
const NAMED = 3;
/** Why a manager that has sent all it has may have lost the rest. */
const LOSSES: Readonly<Record<Incompleteness, string>> = {
  restored: 'its database was restored',
  unchecked: 'its database began empty, and it has not heard all of its peers',
};

/** Answers for which a manager has not looked at what it has: it does not know where the key is, or has too much to do. */
const CHEAP = [404, 503];

/** A question that is under way. */
interface Asking {
  readonly question: ResendQuestion;
  /** Whether a payload came that is not here; it was refused. */
  isLost: boolean;
}

/**
 * Finds out whether a manager whose database began empty is new, or lost its payloads: every manager that may hold
 * payloads for its keys is asked to send them, none is taken, and each that comes is compared with what is here. A lost
 * payload that no peer has any more stays unknown. One that recovered waits in the same way until the managers that sent
 * to it know that they have all of theirs.
 */
export class LossCheck {
  private timer: NodeJS.Timeout | undefined;
  private underWay: Promise<void> | undefined;
  private asking: Asking | undefined;
  /** Managers that hold nothing that is not here. What came since, they sent while this manager was there to take it. */
  private readonly answered = new Set<string>();
  private readonly resting = new RestingManagers();

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
   * Resolves when no question is under way. What a manager sends is refused from now on, which ends its answer.
   * @returns whether it had been started
   */
  async stop(): Promise<boolean> {
    const { clock = systemClock } = this.parts;
    const wasStarted = this.isStarted;
    clearInterval(this.timer);
    this.timer = undefined;
    const cancel = clock.schedule(STOP_MS, () => this.asking?.question.stop());
    await this.underWay;
    cancel();
    return wasStarted;
  }

  /** Whether peers may send what they were asked for. */
  get isRunning(): boolean {
    return this.asking !== undefined && this.isStarted && this.parts.completeness.isUnchecked;
  }

  /**
   * Looks at payloads of a peer that was asked, and keeps none.
   * @throws ManagerError when one of them is not here
   */
  async acceptBatch(payloads: readonly EncodedPayload[]): Promise<void> {
    const { enclave, store, turn } = this.parts;
    // The one that they came for, though another may be under way when they have been looked at.
    const { asking } = this;
    let opened = 0;
    for (const payload of payloads) {
      if ((await openForKeeping(payload, { enclave, turn, recovering: true })) === undefined) continue;
      if (!(await store.has(payloadHash(payload)))) {
        if (asking !== undefined) asking.isLost = true;
        throw new ManagerError('unavailable', 'payloads that were lost are not taken before a recovery');
      }
      opened += 1;
    }
    asking?.question.take(opened, payloads.length - opened);
  }

  private get isStarted(): boolean {
    return this.timer !== undefined;
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
      const doubt = this.resting.rest(url) ?? (await this.ask(url));
      if (!this.isStarted) return;
      if (doubt === undefined) this.answered.add(url);
      else open.push(doubt);
    }
    if (open.length > 0) return completeness.leaveOpen(textOf(open, completeness.isUnconfirmed));
    if (urls.length > 0) await completeness.settle(completeness.isUnconfirmed ? 'recovered' : 'new');
    else completeness.leaveOpen(undefined);
  }

  /** @returns what is not known of the manager; undefined when it holds nothing that is not here */
  private async ask(url: string): Promise<string | undefined> {
    for (const publicKey of this.parts.enclave.ring.keys) {
      if (!this.isStarted) return undefined;
      const doubt = await this.askFor(url, publicKey);
      if (doubt !== undefined) return doubt;
    }
    return undefined;
  }

  private async askFor(url: string, publicKey: string): Promise<string | undefined> {
    const failures = this.resting.failuresOf(url);
    const idleMs = Math.min(LIMITS.idleMs * 2 ** failures, MAX_IDLE_MS);
    const asking = { question: new ResendQuestion(this.parts, { ...LIMITS, idleMs }), isLost: false };
    this.asking = asking;
    try {
      const request = { publicKey, batchSize: failures === 0 ? BATCH_SIZE : SMALL_BATCH_SIZE };
      const answer = await answerOf(asking.question.ask(url, 'resendBatch', request));
      return this.doubtOf(answer, asking, { url, publicKey });
    } finally {
      this.asking = undefined;
    }
  }

  /** @param answer - undefined where none came */
  private doubtOf(
    answer: PeerAnswer | undefined,
    asking: Asking,
    { url, publicKey }: { readonly url: string; readonly publicKey: string },
  ): string | undefined {
    const failure = failureOf(answer, asking.question);
    if (failure === undefined) return answer && this.doubtBy(url, answer);
    // Who had a payload refused has looked at what it has, and does not answer 200: else it came from another host, which can be any.
    const doubt =
      asking.isLost && hasLooked(answer)
        ? `${url} holds payloads for ${publicKey} that are not here`
        : `${url} does not say what it holds (${failure})`;
    if (isCostly(answer, asking)) this.resting.leave(url, doubt, true);
    return doubt;
  }

  /** What is not known of a manager that has sent all it has, and nothing that is not here. */
  private doubtBy(url: string, { headers }: PeerAnswer): string | undefined {
    const state = readIncompleteness(headers);
    // Of two that began empty neither waits for the other, or else no new network could begin.
    if (state === undefined || (state === 'unchecked' && !this.parts.completeness.isUnconfirmed))
      return undefined;
    const doubt = `${url} may have lost payloads itself: ${LOSSES[state]}`;
    this.resting.leave(url, doubt, false);
    return doubt;
  }
}

/** @returns undefined where none comes */
async function answerOf(asked: Promise<PeerAnswer>): Promise<PeerAnswer | undefined> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof PeerUnreachableError) return undefined;
    throw error;
  }
}

/** Why it is not known what the manager holds; undefined when we looked at all of that. */
function failureOf(answer: PeerAnswer | undefined, question: ResendQuestion): string | undefined {
  if (answer === undefined) return 'no answer';
  if (answer.status !== 200) return `${answer.status} ${answer.text.slice(0, 100)}`.trim();
  return question.lackIn(answer);
}

function hasLooked(answer: PeerAnswer | undefined): boolean {
  return answer !== undefined && !CHEAP.includes(answer.status);
}

/** Whether the manager may have read much of what it has, or has kept us waiting. */
function isCostly(answer: PeerAnswer | undefined, { question, isLost }: Asking): boolean {
  return hasLooked(answer) || question.hasPayloads || isLost || question.endedBy !== undefined;
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
