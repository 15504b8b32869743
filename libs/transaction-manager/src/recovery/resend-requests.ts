import { backOffMs, type Logger, type PtmKey } from '@tetrad/types';
import { readIncompleteness } from '../completeness/incomplete-answer.js';
import {
  ResendQuestion,
  totalOf,
  type ResendLimits,
  type ResendQuestionParts,
} from '../completeness/resend-question.js';
import type { Enclave } from '../enclave/enclave.js';
import { ManagerError } from '../manager-error.js';
import type { PartyExchange } from '../party/party-exchange.js';
import type { PartyTable } from '../party/party-table.js';
import { PeerUnreachableError, type PeerAnswer } from '../party/peer-client.js';
import { worseOf, type Heard } from './recovery-outcome.js';

export interface ResendRequestParts extends ResendQuestionParts {
  readonly enclave: Enclave;
  readonly table: Pick<PartyTable, 'isConfigured'>;
  readonly exchange: Pick<PartyExchange, 'announceToAll'>;
  readonly logger: Logger;
  /** Waits, for the time in milliseconds, before a manager is asked again. */
  readonly pause: (ms: number) => Promise<unknown>;
}

/**
 * Payloads that a manager sends us at a time, the first time and when it is asked again: an existing manager gives up on a
 * batch that is not stored in its time limit, which we do not know.
 */
const BATCH_SIZES = [100, 25, 5, 1];
/** Before it is asked again; twice as long each time. */
const PAUSES = { firstMs: 1_000, maxMs: 4_000 };
/** An existing manager looks at its whole store for the first batch. */
const LIMITS: ResendLimits = { idleMs: 300_000, wholeMs: 3_600_000 };
/** For managers that the operator did not name, after others of those: anyone can announce hundreds that never answer. */
const LEAST: ResendLimits = { idleMs: 10_000, wholeMs: 60_000 };

type Sent = Heard['sent'];

/** The requests of one recovery, of which one is under way at a time. */
export class ResendRequests {
  private question: ResendQuestion | undefined;
  /** Whether the manager sends its payloads one by one. */
  private isOneByOne = false;
  /** Questions to managers that the operator did not name, of which a limit was over. */
  private silences = 0;

  constructor(private readonly parts: ResendRequestParts) {}

  /** Counts payloads of a batch that came. */
  take(opened: number, unopened: number): void {
    this.question?.take(opened, unopened);
  }

  /** A payload came as managers without batches send them, and as any other. */
  takeOne(): void {
    if (this.isOneByOne) this.question?.take(1, 0);
  }

  /** @returns what the manager sent for our keys, or why it did not send all it has */
  async askAll(url: string): Promise<Sent> {
    try {
      let sent: Sent = 'all';
      for (const publicKey of this.parts.enclave.ring.keys)
        sent = worseOf(sent, await this.ask(url, publicKey));
      return sent;
    } catch (error) {
      if (isFailure(error)) return { reason: error.message };
      throw error;
    }
  }

  /** Asks again, for less at a time, a manager that did not manage; what it sent already is stored. */
  private async ask(url: string, publicKey: PtmKey): Promise<Sent> {
    let failure: unknown;
    for (const [turn, batchSize] of BATCH_SIZES.entries()) {
      if (turn > 0) await this.parts.pause(backOffMs(turn, PAUSES));
      try {
        return await this.askOnce(url, publicKey, batchSize);
      } catch (error) {
        if (!isFailure(error)) throw error;
        failure = error;
        if (!this.mayAskAgain(url, error)) break;
      }
    }
    throw failure;
  }

  /** Waiting for what is silent takes minutes each time, and asking what answers or sends does not. */
  private mayAskAgain(url: string, failure: Error): boolean {
    const { endedBy, opened = 0 } = this.question ?? {};
    if (endedBy !== undefined) return endedBy === 'idleMs' && opened > 0;
    return failure instanceof ManagerError || opened > 0 || this.parts.table.isConfigured(url);
  }

  /** @throws ManagerError, PeerUnreachableError */
  private async askOnce(url: string, publicKey: PtmKey, batchSize: number): Promise<Sent> {
    const batches = await this.request(url, 'resendBatch', { publicKey, batchSize });
    if (batches.status === 200)
      return this.lackIn(batches, url) ?? readIncompleteness(batches.headers) ?? 'all';
    const reason = reasonOf(publicKey, batches);
    if (!hasNoBatches(batches)) {
      // It may not have heard, or have forgotten, where our keys are.
      await this.parts.exchange.announceToAll();
      throw new ManagerError('rejected', reason);
    }
    const all = await this.request(url, 'resend', { type: 'ALL', publicKey });
    if (all.status !== 200) throw new ManagerError('rejected', reasonOf(publicKey, all));
    this.parts.logger.warn('a manager resends no payloads with privacy flags', { url, reason });
    return 'unflagged';
  }

  private async request(url: string, path: 'resendBatch' | 'resend', members: object): Promise<PeerAnswer> {
    const question = new ResendQuestion(this.parts, this.limitsOf(url));
    this.question = question;
    this.isOneByOne = path === 'resend';
    try {
      return await question.ask(url, path, members);
    } finally {
      if (question.endedBy !== undefined && !this.parts.table.isConfigured(url)) this.silences += 1;
    }
  }

  /** Half as long after each silence, so that all managers of a stranger together do not take much longer than one. */
  private limitsOf(url: string): ResendLimits {
    if (this.parts.table.isConfigured(url)) return LIMITS;
    const part = 2 ** -this.silences;
    return {
      idleMs: Math.max(LIMITS.idleMs * part, LEAST.idleMs),
      wholeMs: Math.max(LIMITS.wholeMs * part, LEAST.wholeMs),
    };
  }

  /**
   * What is missing of what a manager says it sent. Payloads that no key here opens may come from any host, and are its own
   * only as far as they explain what is missing.
   */
  private lackIn(answer: PeerAnswer, url: string): { readonly reason: string } | undefined {
    const { question, parts } = this;
    if (question === undefined) return undefined;
    const lack = question.lackIn(answer);
    if (lack !== undefined) return { reason: lack };
    if (question.unopened === 0) return undefined;
    const reason = `sent ${question.unopened} payloads that no key here opens`;
    if (question.opened < (totalOf(answer) ?? Infinity)) return { reason };
    parts.logger.warn('payloads came that no key here opens, from another than the manager that was asked', {
      asked: url,
      payloads: question.unopened,
    });
    return undefined;
  }
}

function isFailure(error: unknown): error is PeerUnreachableError | ManagerError {
  return error instanceof PeerUnreachableError || error instanceof ManagerError;
}

/** Paths, methods and media types that existing managers do not know are 500 with the status in the text. */
const UNKNOWN_REQUEST = /^HTTP (404|405|415) /;
/** It knows the path, and not where the key is. */
const UNKNOWN_KEY = /^Recipient not found/;

/** Whether the answer is that of a manager without batches; any other answer is one that did not manage this time. */
function hasNoBatches({ status, text }: PeerAnswer): boolean {
  if (status === 404) return !UNKNOWN_KEY.test(text);
  return status === 405 || status === 415 || (status === 500 && UNKNOWN_REQUEST.test(text));
}

function reasonOf(publicKey: PtmKey, { status, text }: PeerAnswer): string {
  return `payloads of ${publicKey}: ${`${status} ${text.slice(0, 200)}`.trim()}`;
}
