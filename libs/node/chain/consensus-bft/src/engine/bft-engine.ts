import type { Address } from '@tetrad/types';
import type { Effect } from '../machine/effects.js';
import type { MachineEvent } from '../machine/events.js';
import type { HeightContext } from '../machine/height.js';
import { initialState, type MachineState, type Phase } from '../machine/state.js';
import { step } from '../machine/step.js';
import type { MachineIdentity } from '../machine/transition.js';
import { decodeMessage } from '../messages/message-decoding.js';
import { MessageError } from '../messages/message-fields.js';
import type { ConsensusMessage } from '../messages/consensus-message.js';
import { decodeSignedRecord } from '../record/signed-record-rlp.js';
import { AwaitedSignatures, SignatureAwaited } from './awaited-signatures.js';
import { EffectRunner } from './effect-runner.js';
import { EngineMetrics } from './engine-metrics.js';
import type { BftEngineOptions, MessageVerdict } from './engine-ports.js';
import { EventQueue } from './event-queue.js';
import { SeenMessages } from './seen-messages.js';
import { VoteWatch } from './vote-watch.js';

/** A block of 10 MB, the certificate of another round, and a margin. */
const DEFAULT_MAX_MESSAGE_BYTES = 12 * 1024 * 1024;

/** Signatures of one list in a justification; more validators than any network of this kind has. */
const MAX_NESTED = 1_024;

/** Penalty of the peer that sent a malformed message: five of them cut it off. */
const INVALID_SCORE = 20;

/**
 * Runs the state machine of one validator; on other nodes it only checks messages before they are relayed.
 *
 * Owns its state and handles one event at a time; it reaches everything else through the ports. No external input makes
 * it throw.
 */
export class BftEngine {
  private state: MachineState = initialState();
  private readonly queue = new EventQueue();
  private readonly seen: SeenMessages;
  private readonly watch = new VoteWatch();
  private readonly metrics: EngineMetrics;
  private readonly runner: EffectRunner;
  private readonly signatures: AwaitedSignatures;
  private readonly identity: MachineIdentity;
  private draining: Promise<void> = Promise.resolve();
  private isDraining = false;
  private phase: 'new' | 'running' | 'stopped' = 'new';

  constructor(private readonly options: BftEngineOptions) {
    this.seen = new SeenMessages(options.clock);
    this.metrics = new EngineMetrics(options.metrics);
    this.runner = new EffectRunner(options, this.metrics, (event) => this.push(event));
    const signatures = new AwaitedSignatures(options.sign);
    this.signatures = signatures;
    const { address, isSilent = false } = options;
    this.identity = { address, isSilent, sign: (digest) => signatures.sign(digest) };
  }

  /**
   * Begins the height above the head, from the stored record.
   * @param stored - the last record passed to `persist`; undefined when this key never signed
   * @throws MessageError when the record is damaged; the validator must not sign then
   */
  start(stored: Uint8Array | undefined, context: HeightContext): void {
    if (this.phase !== 'new') throw new Error('an engine starts once');
    if (stored !== undefined) this.state = initialState(decodeSignedRecord(stored, this.options.formatAt));
    this.phase = 'running';
    this.onHead(context);
  }

  /** The chain has a new head, from this engine or from a peer. */
  onHead(context: HeightContext): void {
    this.push({ type: 'head', context, atMs: this.options.clock.now() });
  }

  /** Transactions wait for a block. */
  onWork(): void {
    if (this.state.idleDelay) this.push({ type: 'work', atMs: this.options.clock.now() });
  }

  /** Takes a message from a peer; it is handled later. Never throws. */
  onMessage(bytes: Uint8Array): MessageVerdict {
    if (this.phase !== 'running') return { outcome: 'ignored', reason: 'notRunning' };
    const started = performance.now();
    const verdict = this.receive(bytes);
    this.metrics.worked(performance.now() - started);
    if (verdict.outcome === 'ignored' && verdict.reason !== 'notRunning')
      this.metrics.messageReceived(verdict.reason);
    if (verdict.outcome === 'invalid') this.metrics.messageReceived('invalid');
    return verdict;
  }

  /** Why nothing can be signed at the moment; undefined when all is well. */
  trouble(): string | undefined {
    return this.runner.trouble;
  }

  /** Other validators of which messages of the open height or a later one were received. */
  heard(): ReadonlySet<Address> {
    return this.watch.heard(this.state.height?.height ?? 0);
  }

  /**
   * The state of the decision.
   * @returns lapses — number of round time-outs at this height
   */
  status(): {
    readonly height: number | undefined;
    readonly round: number;
    readonly phase: Phase;
    readonly lapses: number;
  } {
    const { height, round, phase, lapses } = this.state;
    return { height: height?.height, round, phase, lapses };
  }

  /** Resolves when all work has ended. A record that is being stored may still be stored. */
  async stop(): Promise<void> {
    this.phase = 'stopped';
    this.queue.clear();
    await this.runner.stop();
    await this.draining;
  }

  private receive(bytes: Uint8Array): MessageVerdict {
    const id = this.seen.idOf(bytes);
    if (this.seen.has(id)) return { outcome: 'ignored', reason: 'duplicate' };
    const message = this.decode(bytes);
    if (message instanceof MessageError)
      return { outcome: 'invalid', reason: message.message, score: INVALID_SCORE };
    const { height } = this.state;
    if (height === undefined) return { outcome: 'ignored', reason: 'notRunning' };
    if (height.members.has(message.sender)) this.compare(message, height.height);
    if (message.height < height.height) return { outcome: 'ignored', reason: 'old' };
    if (!height.members.has(message.sender)) return { outcome: 'ignored', reason: 'notValidator' };
    if (!this.queue.pushMessage(message, bytes.length)) return { outcome: 'ignored', reason: 'busy' };
    this.seen.add(id);
    this.metrics.messageReceived(message.kind);
    this.wake();
    return { outcome: 'accepted' };
  }

  /** Reports two messages of a validator that contradict each other; this node's own are compared with its record. */
  private compare(message: ConsensusMessage, open: number): void {
    if (message.sender === this.options.address) return;
    const conflict = this.watch.observe(message, open);
    if (conflict === undefined) return;
    this.metrics.reported('equivocation');
    this.options.logger.warn('consensus: a validator signed two different messages of one round', {
      ...conflict,
    });
  }

  /** Whether it reports a conflict that was counted when its message arrived. */
  private isCounted(effect: Effect): boolean {
    if (effect.type !== 'report' || effect.report.what !== 'equivocation') return false;
    const { sender, height } = effect.report;
    return sender !== undefined && this.watch.hasConflict(sender, height);
  }

  private decode(bytes: Uint8Array): ConsensusMessage | MessageError {
    const { formatAt, maxMessageBytes = DEFAULT_MAX_MESSAGE_BYTES } = this.options;
    try {
      return decodeMessage(bytes, { formatAt, maxBytes: maxMessageBytes, maxNested: MAX_NESTED });
    } catch (error) {
      if (error instanceof MessageError) return error;
      this.options.logger.error('a consensus message could not be read', { error });
      return new MessageError('message: unreadable');
    }
  }

  private push(event: MachineEvent): void {
    if (this.phase !== 'running') return;
    this.queue.push(event);
    this.wake();
  }

  private wake(): void {
    if (this.isDraining) return;
    this.isDraining = true;
    this.draining = this.drain();
  }

  private async drain(): Promise<void> {
    // Everything that arrives in one turn of the event loop is handled together.
    await Promise.resolve();
    for (let event = this.queue.take(); event !== undefined; event = this.queue.take()) {
      const pending = this.handle(event);
      if (pending !== undefined) await pending;
    }
    this.isDraining = false;
  }

  private handle(event: MachineEvent): Promise<void> | undefined {
    const started = performance.now();
    const before = this.state;
    try {
      const { state, effects } = step(this.identity, before, event);
      this.signatures.endStep();
      this.state = state;
      if (state.height !== before.height) this.endHeight();
      this.metrics.moved(before, state, this.options.clock.now());
      return this.runner.run(effects.filter((effect) => !this.isCounted(effect)));
    } catch (error) {
      if (error instanceof SignatureAwaited) return this.handleLater(event, error);
      this.signatures.endStep();
      // An internal error; the machine stays as it was before the event.
      this.options.logger.error('a consensus event could not be handled', { event: event.type, error });
      return undefined;
    } finally {
      this.metrics.worked(performance.now() - started);
    }
  }

  /** The state has not changed, and no other event is handled before. */
  private async handleLater(event: MachineEvent, { made }: SignatureAwaited): Promise<void> {
    await made;
    if (this.phase === 'running') await this.handle(event);
  }

  private endHeight(): void {
    this.seen.clear();
    this.signatures.endHeight();
    this.watch.endHeight(this.state.height?.height ?? 0);
    this.runner.endHeight();
  }
}
