import { pause, type Logger } from '@tetrad/types';
import type { CommittedBlock, Effect, Report } from '../machine/effects.js';
import type { MachineEvent, TimerName } from '../machine/events.js';
import type { ConsensusMessage, ProposedBlock, View } from '../messages/consensus-message.js';
import { encodeMessage } from '../messages/message-encoding.js';
import { decodeProposedBlock } from '../messages/proposed-block.js';
import { encodeSignedRecord } from '../record/signed-record-rlp.js';
import type { SignedRecord } from '../record/signed-record.js';
import type { EngineMetrics } from './engine-metrics.js';
import type { BftEngineOptions } from './engine-ports.js';

/** Between two attempts to store a record, or to check a block that could not be checked. */
const RETRY_MS = 500;

/** Faults of other validators are warnings: they cost a round. Two signers with one key may stop the validator. */
const LEVELS = {
  equivocation: 'warn',
  badSeal: 'warn',
  invalidMessage: 'warn',
  invalidProposal: 'warn',
  keyInUseElsewhere: 'error',
  behind: 'info',
  withheld: 'info',
} as const satisfies Record<Report['what'], keyof Logger>;

/** Runs the effects of the machine in order; results return as events. */
export class EffectRunner {
  /** Why nothing can be signed at the moment. */
  trouble: string | undefined;
  private readonly stopping = new AbortController();
  private readonly timers = new Map<TimerName, () => void>();
  private building: AbortController | undefined;
  /** Calls to the ledger that are under way. */
  private readonly running = new Set<Promise<void>>();

  constructor(
    private readonly options: BftEngineOptions,
    private readonly metrics: EngineMetrics,
    private readonly emit: (event: MachineEvent) => void,
  ) {}

  /** @returns undefined when all is done, otherwise a promise of that */
  run(effects: readonly Effect[]): Promise<void> | undefined {
    const [first, ...rest] = effects;
    if (first?.type !== 'persist') {
      for (const effect of effects) this.carryOut(effect);
      return undefined;
    }
    return this.persist(first.record).then(() => {
      if (!this.stopped) for (const effect of rest) this.carryOut(effect);
    });
  }

  /** The height is over; a candidate for it is no longer useful. */
  endHeight(): void {
    this.building?.abort();
    this.building = undefined;
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    for (const cancel of this.timers.values()) cancel();
    this.timers.clear();
    this.endHeight();
    await Promise.all(this.running);
  }

  private get stopped(): boolean {
    return this.stopping.signal.aborted;
  }

  private carryOut(effect: Effect): void {
    const { network } = this.options;
    switch (effect.type) {
      case 'broadcast':
        return network.broadcast(this.encode(effect.message));
      case 'send':
        return network.send(effect.to, this.encode(effect.message));
      case 'startTimer':
        return this.startTimer(effect);
      case 'stopTimer':
        return this.stopTimer(effect.timer);
      case 'requestCandidate':
        return this.start(this.build(effect));
      case 'validate':
        return this.start(this.validate(effect));
      case 'commit':
        return this.start(this.commit(effect.committed));
      case 'report':
        return this.report(effect.report);
      case 'persist':
        throw new Error('a record is stored before everything else');
    }
  }

  private encode(message: ConsensusMessage): Uint8Array {
    this.metrics.messageSent(message.kind);
    return encodeMessage(message);
  }

  private startTimer({ timer, delayMs, height, round }: View & { timer: TimerName; delayMs: number }): void {
    this.stopTimer(timer);
    const cancel = this.options.clock.schedule(delayMs, () => {
      this.timers.delete(timer);
      this.emit({ type: 'timer', timer, height, round });
    });
    this.timers.set(timer, cancel);
  }

  private stopTimer(timer: TimerName): void {
    this.timers.get(timer)?.();
    this.timers.delete(timer);
  }

  private start(work: Promise<void>): void {
    const tracked = work.finally(() => this.running.delete(tracked));
    this.running.add(tracked);
  }

  private async build({ height, round }: View): Promise<void> {
    const { ledger, logger, formatAt } = this.options;
    this.building ??= new AbortController();
    const { signal } = this.building;
    try {
      const encoded = await ledger.buildCandidate({ height, round }, signal);
      if (signal.aborted) return;
      const block = encoded === undefined ? {} : { block: decodeProposedBlock(encoded, formatAt(height)) };
      this.emit({ type: 'candidate', height, ...block });
    } catch (error) {
      if (signal.aborted) return;
      logger.error('no block could be built', { height, round, error });
      this.emit({ type: 'candidate', height });
    }
  }

  private async validate({ block, height }: View & { block: ProposedBlock }): Promise<void> {
    const digest = block.hash;
    try {
      const verdict = await this.options.ledger.validateProposal(block);
      this.emit({ type: 'validated', height, digest, verdict });
    } catch (error) {
      // This is not a verdict on the block: the database may be unavailable.
      this.options.logger.warn('a proposal could not be checked', { height, hash: digest, error });
      this.emit({ type: 'validated', height, digest, verdict: { retryAfterMs: RETRY_MS } });
    }
  }

  private async commit(committed: CommittedBlock): Promise<void> {
    const height = committed.header.number;
    try {
      await this.options.ledger.commitBlock(committed);
    } catch (error) {
      this.options.logger.error('a committed block could not be added to the chain', { height, error });
      this.emit({ type: 'insertionFailed', height });
    }
  }

  /** Stores the record, again and again while that fails: nothing may be sent before. */
  private async persist(record: SignedRecord): Promise<void> {
    const encoded = encodeSignedRecord(record);
    while (!this.stopped) {
      try {
        await this.options.persist(encoded, { height: record.height, round: record.round });
        this.trouble = undefined;
        return;
      } catch (error) {
        const message = error instanceof Error ? error.message : String(error);
        if (this.trouble === undefined)
          this.options.logger.error('signed record cannot be stored', { error });
        this.trouble = message;
        await pause(this.options.clock, RETRY_MS, this.stopping.signal);
      }
    }
  }

  private report(report: Report): void {
    const { what, text, ...values } = report;
    this.metrics.reported(what);
    if (what === 'behind') this.options.onBehind?.(report.height);
    this.options.logger[LEVELS[what]](`consensus: ${text}`, { what, ...values });
  }
}
