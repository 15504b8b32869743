import { systemClock, type Clock } from '@tetrad/types';
import type { PeerAnswer, PeerClient } from '../party/peer-client.js';

/** How long a manager may take to send what it has. Units: ms */
export interface ResendLimits {
  /** Most time in which nothing comes that a key here opens. */
  readonly idleMs: number;
  /** Most time in all: a host with a payload for a key here can send it again and again while the manager is silent. */
  readonly wholeMs: number;
}

export interface ResendQuestionParts {
  readonly peers: Pick<PeerClient, 'postJson'>;
  /** Of the limits; that of the system without it. */
  readonly clock?: Pick<Clock, 'schedule'> | undefined;
}

/** What ended a question before the manager answered. */
export type ResendEnd = keyof ResendLimits | 'stopped';

/**
 * One request to a manager to resend what it has. It answers when it has sent everything, which comes in requests of its own
 * meanwhile, and with 200 only if we took all of that. Those are not signed, and any host can send such.
 */
export class ResendQuestion {
  /** Payloads that came and were taken: that a key here opens, and others. */
  private openedCount = 0;
  private unopenedCount = 0;
  private end: ResendEnd | undefined;
  private readonly request = new AbortController();
  private cancelIdle: (() => void) | undefined;

  constructor(
    private readonly parts: ResendQuestionParts,
    private readonly limits: ResendLimits,
  ) {}

  /**
   * Asks, once.
   * @throws PeerUnreachableError, also when a limit is over
   */
  async ask(url: string, path: string, request: object): Promise<PeerAnswer> {
    const { peers, clock = systemClock } = this.parts;
    const { wholeMs } = this.limits;
    const cancelWhole = clock.schedule(wholeMs, () => this.stop('wholeMs'));
    this.awaitNext();
    try {
      return await peers.postJson(url, path, request, wholeMs, this.request.signal);
    } finally {
      cancelWhole();
      this.cancelIdle?.();
      this.cancelIdle = undefined;
    }
  }

  /** Counts payloads that came and were taken. One that no key here opens may be from anyone, and extends no limit. */
  take(opened: number, unopened: number): void {
    this.openedCount += opened;
    this.unopenedCount += unopened;
    if (opened > 0 && this.cancelIdle !== undefined) this.awaitNext();
  }

  /** Ends it without an answer. */
  stop(end: ResendEnd = 'stopped'): void {
    this.end ??= end;
    this.request.abort();
  }

  get opened(): number {
    return this.openedCount;
  }

  get unopened(): number {
    return this.unopenedCount;
  }

  /** Whether anything came. */
  get hasPayloads(): boolean {
    return this.openedCount + this.unopenedCount > 0;
  }

  /** What ended it before the manager answered; undefined while nothing has. */
  get endedBy(): ResendEnd | undefined {
    return this.end;
  }

  /**
   * What is wrong with an answer of 200: that payloads did not come, which the manager sent elsewhere. A manager counts at
   * most what it sent, and what strangers send can hide such a lack, and not make one.
   */
  lackIn(answer: PeerAnswer): string | undefined {
    const total = totalOf(answer) ?? 0;
    const came = this.openedCount + this.unopenedCount;
    return came < total ? `sent ${total} payloads, of which ${came} came here` : undefined;
  }

  private awaitNext(): void {
    this.cancelIdle?.();
    const { clock = systemClock } = this.parts;
    this.cancelIdle = clock.schedule(this.limits.idleMs, () => this.stop('idleMs'));
  }
}

/** The number of payloads that the answer to `/resendBatch` names; undefined where it names none. */
export function totalOf({ text }: Pick<PeerAnswer, 'text'>): number | undefined {
  try {
    const total = (JSON.parse(text) as { readonly total?: unknown } | null)?.total;
    return typeof total === 'number' && Number.isSafeInteger(total) && total >= 0 ? total : undefined;
  } catch {
    return undefined;
  }
}
