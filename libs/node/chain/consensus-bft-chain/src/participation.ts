import {
  BftEngine,
  EMPTY_RECORD,
  encodeSignedRecord,
  roundTimeoutMs,
  type BftEngineOptions,
  type HeightContext,
} from '@tetrad/node-consensus-bft';
import type { ConsensusRecords } from '@tetrad/node-store';
import { Turns, type Gauge } from '@tetrad/types';
import {
  Silence,
  type Neighbour,
  type SilenceEnd,
  type SilenceStage,
  type SilenceVerdict,
} from './silence.js';

/** How often a silent node looks at its peers, besides at each block. */
const CONSIDER_MS = 250;

/** The other nodes, as a node without a record asks about them. */
export interface Neighbours {
  /** Connected nodes. */
  list(): readonly Neighbour[];
  /** Whether peers are configured, connected or not. */
  readonly areExpected: boolean;
  /** Says to all peers, also to later ones, whether this node has no record at the height after its head. */
  announceUnrecorded(isUnrecorded: boolean): void;
}

export interface ParticipationOptions extends Omit<BftEngineOptions, 'isSilent'> {
  readonly records: Pick<ConsensusRecords, 'find' | 'save'>;
  readonly neighbours: Neighbours;
  /** Of the block after the head. */
  readonly context: () => HeightContext;
  /** Timestamp of the head. Units: ms */
  readonly headTimeMs: () => number;
}

/** Why a validator is silent. */
export interface SilenceReport {
  readonly stage: SilenceStage;
  readonly reason: string;
}

const ENDS: Readonly<Record<SilenceEnd, string>> = {
  newNetwork: 'the network is new',
  followed: 'it has followed the chain for long enough',
  noneRecorded: 'all validators begin without a record at this block',
  needed: 'the other validators cannot decide without it',
};

/** Whether this node signs: not while it is paused, and not while it cannot know what its key has signed before. */
export class Participation {
  private engine: BftEngine;
  private silence: Silence | undefined;
  private verdict: SilenceVerdict | undefined;
  private isPaused = false;
  private isStopped = false;
  private isUnrecorded = false;
  /** The first height at which this node may sign. */
  private firstHeight = 0;
  private isDelayed = false;
  private readonly turns = new Turns();
  private readonly gauge: Gauge;
  private cancel: () => void = () => undefined;

  private constructor(private readonly options: ParticipationOptions) {
    this.engine = this.newEngine(true);
    const help =
      'Whether this validator follows the chain without signing, as its database has no record of its key';
    this.gauge = options.metrics.gauge('node_consensus_silent', help);
    this.gauge.set(0);
  }

  /**
   * Signs from the stored record on, or is silent without one.
   * @throws MessageError when the record is damaged
   */
  static async start(options: ParticipationOptions): Promise<Participation> {
    const one = new Participation(options);
    const record = await options.records.find(options.address);
    if (record === undefined) await one.beginSilence();
    else one.run(false, record);
    return one;
  }

  get current(): BftEngine {
    return this.engine;
  }

  get isActive(): boolean {
    return !this.isPaused && this.silence === undefined;
  }

  /** Why this validator signs nothing although it takes part; undefined when it does, or is none. */
  get report(): SilenceReport | undefined {
    const { silence, verdict, isPaused } = this;
    if (silence === undefined || verdict?.isOver !== false || isPaused || !this.isValidator())
      return undefined;
    const about = 'this validator signs nothing, as its database has no record of what its key has signed';
    return { stage: verdict.stage, reason: `${about}: ${verdict.reason}` };
  }

  onHead(context: HeightContext): void {
    this.engine.onHead(context);
    if (this.silence !== undefined) return this.consider();
    if (this.isUnrecorded && context.height > this.firstHeight) this.announce(false);
  }

  /** Resolves when no block is being built. */
  pause(): Promise<boolean> {
    return this.turns.take(async () => {
      if (this.isPaused || this.isStopped) return false;
      this.isPaused = true;
      if (this.silence === undefined) await this.replace(true, undefined);
      this.show();
      return true;
    });
  }

  /** @throws MessageError when the record is damaged */
  resume(): Promise<boolean> {
    return this.turns.take(async () => {
      if (!this.isPaused || this.isStopped) return false;
      // As after a restart: only the stored record shows what this key has signed.
      if (this.silence === undefined)
        await this.replace(false, await this.options.records.find(this.options.address));
      this.isPaused = false;
      this.show();
      return true;
    });
  }

  async stop(): Promise<void> {
    this.isStopped = true;
    this.cancel();
    await this.turns.take(() => this.engine.stop());
  }

  private newEngine(isSilent: boolean): BftEngine {
    return new BftEngine({ ...this.options, isSilent });
  }

  private run(isSilent: boolean, record: Uint8Array | undefined): void {
    this.engine = this.newEngine(isSilent);
    this.engine.start(record, this.options.context());
  }

  private async replace(isSilent: boolean, record: Uint8Array | undefined): Promise<void> {
    await this.engine.stop();
    this.run(isSilent, record);
  }

  /** A node that starts a network by itself signs at once. */
  private async beginSilence(): Promise<void> {
    const { address, neighbours } = this.options;
    this.run(true, undefined);
    const surroundings = this.surroundings();
    this.silence = new Silence({ ...surroundings, address, expectsPeers: neighbours.areExpected });
    this.announce(true);
    const verdict = this.silence.consider(surroundings);
    if (verdict.isOver) return this.turns.take(() => this.endSilence(verdict.why));
    this.note(verdict);
    this.later();
  }

  private later(): void {
    this.cancel();
    this.cancel = this.options.clock.schedule(CONSIDER_MS, () => this.consider());
  }

  private consider(): void {
    if (this.silence === undefined || this.isStopped) return;
    const verdict = this.silence.consider(this.surroundings());
    if (!verdict.isOver) this.note(verdict);
    else
      void this.turns.take(() => this.endSilence(verdict.why)).catch((error: unknown) => this.delay(error));
    this.later();
  }

  /** The record is stored first, and the database may be unavailable. */
  private delay(error: unknown): void {
    if (!this.isDelayed) this.options.logger.warn('the silence of this validator cannot end yet', { error });
    this.isDelayed = true;
  }

  /** From now on the database has a record, so that a restart does not begin with another silence. */
  private async endSilence(why: SilenceEnd): Promise<void> {
    if (this.silence === undefined || this.isStopped) return;
    const { records, address, logger } = this.options;
    const { height } = this.options.context();
    const record = encodeSignedRecord({ ...EMPTY_RECORD, height });
    await records.save(address, { height, round: 0, record });
    this.silence = undefined;
    this.firstHeight = height;
    this.cancel();
    if (!this.isPaused) await this.replace(false, record);
    if (why === 'followed') this.announce(false);
    this.show();
    if (this.isValidator() && why !== 'newNetwork')
      logger.info('this validator signs from now on', { address, height, why: ENDS[why] });
  }

  private note(verdict: SilenceVerdict & { readonly isOver: false }): void {
    const before = this.verdict;
    this.verdict = verdict;
    this.show();
    if (before?.isOver === false && before.stage === verdict.stage) return;
    const { report } = this;
    // Every new network waits for its validators first.
    const level = this.options.context().height === 1 ? 'info' : 'warn';
    if (report !== undefined) this.options.logger[level](report.reason, { stage: report.stage });
  }

  private surroundings() {
    const { clock, neighbours } = this.options;
    const context = this.options.context();
    return {
      nowMs: clock.now(),
      head: context.height - 1,
      headTimeMs: this.options.headTimeMs(),
      validators: context.validators,
      peers: neighbours.list(),
      heard: this.engine.heard(),
      dueMs: context.idleEndsMs,
      longestRoundMs: roundTimeoutMs(context, Number.MAX_SAFE_INTEGER),
    };
  }

  private announce(isUnrecorded: boolean): void {
    this.isUnrecorded = isUnrecorded;
    this.options.neighbours.announceUnrecorded(isUnrecorded);
  }

  private show(): void {
    this.gauge.set(this.report === undefined ? 0 : 1);
  }

  private isValidator(): boolean {
    return this.options.context().validators.includes(this.options.address);
  }
}
