import { RetryTimer } from '@tetrad/types';
import type { ExchangeParts } from './exchange-parts.js';
import { HearDetails } from './hear-details.js';
import { HearMessages } from './hear-messages.js';
import { HearStatements } from './hear-statements.js';
import { SendStatements } from './send-statements.js';
import { SettledAnswers } from './settled-answers.js';
import { StateBlocks } from './state-blocks.js';

/** Time between two looks for messages, and for statements that are due again. */
const LOOK_MS = 1_000;
/** Time after a block in which those that follow it are taken together. */
const SOON_MS = 200;
const BACK_OFF = { firstMs: 1_000, maxMs: 60_000 };
/** How much longer than a pass the rest before the next one is, beside blocks that come one by one, and beside an import of many. */
const RESTS = { usual: 1, importing: 9 };
const MAX_REST_MS = 60_000;

/**
 * States the results of private transactions to their other parties, hears theirs and compares both.
 *
 * It has half of the time where much is due, and a tenth while many blocks are imported: never none, as a peer may say that it has more.
 * One thing at a time: nothing is signed, stored or acknowledged while something else is. All that is due is in rows, so that a
 * restart at any point loses nothing.
 *
 * Source: docs/spec/agreement-statements.md
 */
export class AgreementDuty {
  private readonly blocks: StateBlocks;
  private readonly sending: SendStatements;
  private readonly hearing: HearMessages;
  private readonly retry: RetryTimer;
  private cancelLook: () => void = () => undefined;
  private cancelSoon: (() => void) | undefined;
  private lookedMs = -Infinity;
  private endRest: () => void = () => undefined;
  private running: Promise<void> | undefined;
  private isWanted = false;
  private stopped = false;
  private carries: boolean | undefined;
  /** Block from which on blocks are to be stated again. */
  private since: number | undefined;

  constructor(private readonly parts: ExchangeParts) {
    this.blocks = new StateBlocks(parts);
    const answers = new SettledAnswers(parts);
    this.sending = new SendStatements({ ...parts, answers });
    const statements = new HearStatements({ ...parts, answers, stated: () => this.blocks.head });
    const details = new HearDetails(parts);
    this.hearing = new HearMessages({ ...parts, statements, details });
    this.retry = new RetryTimer(parts.clock, BACK_OFF);
  }

  /** The last block that was stated; undefined before the first. */
  get stated(): number | undefined {
    return this.blocks.head;
  }

  /** Whether this node's manager carries messages; undefined before it has answered. */
  get carriesMessages(): boolean | undefined {
    return this.carries;
  }

  /** Has blocks stated again from one on, so that older ones than before are compared. */
  compareSince(block: number): void {
    this.since = Math.min(block, this.since ?? block);
    this.wake();
  }

  /** A block was followed. */
  onBlock(): void {
    if (this.stopped || this.cancelSoon !== undefined) return;
    this.cancelSoon = this.parts.clock.schedule(SOON_MS, () => {
      this.cancelSoon = undefined;
      this.wake();
    });
  }

  /** Does what is due now, unless something that failed waits for its retry. */
  wake(): void {
    if (this.stopped || this.retry.isWaiting) return;
    this.isWanted = true;
    this.running ??= this.run().finally(() => {
      this.running = undefined;
      this.lookLater();
    });
  }

  /** Resolves when nothing is under way. */
  async stop(): Promise<void> {
    this.stopped = true;
    this.cancelLook();
    this.cancelSoon?.();
    this.endRest();
    this.retry.cancel();
    await this.running;
  }

  private async run(): Promise<void> {
    while (this.isWanted && !this.stopped) {
      this.isWanted = false;
      const startMs = this.parts.clock.now();
      try {
        const hasMore = await this.pass();
        this.retry.succeeded();
        if (!hasMore) continue;
        this.isWanted = true;
        await this.rest(this.parts.clock.now() - startMs);
      } catch (error) {
        this.retryLater(error);
      }
    }
  }

  private async rest(passMs: number): Promise<void> {
    const { clock, importsFirst } = this.parts;
    const times = importsFirst?.() === true ? RESTS.importing : RESTS.usual;
    const restMs = Math.min(MAX_REST_MS, times * Math.max(0, passMs));
    if (restMs === 0 || this.stopped) return;
    await new Promise<void>((resolve) => {
      const cancel = clock.schedule(restMs, resolve);
      this.endRest = () => {
        cancel();
        resolve();
      };
    });
  }

  /** @returns whether there is more to do */
  private async pass(): Promise<boolean> {
    const features = await this.parts.manager.features();
    if (features.kind === 'done') this.carries = features.value.partyMessages;
    if (features.kind !== 'done' || !features.value.partyMessages) return false;
    const isStopped = () => this.stopped;
    await this.setBack();
    const { isBehind, hasStated } = await this.blocks.advance(isStopped);
    const isLook = Math.abs(this.parts.clock.now() - this.lookedMs) >= LOOK_MS;
    if (!isLook && !hasStated) return isBehind;
    const hasSent = await this.sending.sendDue(isStopped);
    const waits = isLook && (await this.hearing.hearAll(isStopped));
    if (isLook) await this.parts.repairs?.tell();
    if (isLook && !waits) this.lookedMs = this.parts.clock.now();
    return isBehind || hasSent || waits;
  }

  private async setBack(): Promise<void> {
    const { since } = this;
    if (since === undefined) return;
    await this.blocks.setBack(since);
    if (this.since === since) this.since = undefined;
  }

  private lookLater(): void {
    this.cancelLook();
    if (!this.stopped) this.cancelLook = this.parts.clock.schedule(LOOK_MS, () => this.wake());
  }

  private retryLater(error: unknown): void {
    if (this.retry.failures === 0)
      this.parts.logger.warn('results of private transactions were not stated, and will be later', { error });
    if (!this.stopped) this.retry.tryLater(() => this.wake());
  }
}
