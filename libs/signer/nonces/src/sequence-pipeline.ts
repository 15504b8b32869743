import { ForwardedError } from '@tetrad/rpc';
import type { NonceSequence, NonceName, NonceStore, StoredSigned } from '@tetrad/signer-store';
import type { Clock, Hash } from '@tetrad/types';
import type { BelievedCount } from './believed-count.js';
import type { ClaimedSend, SignedBytes } from './sequence-client.js';
import { HELD_PAUSE_MS, MAX_SUBMISSIONS, MAX_WAITING, WINDOW, type NonceManagerTiming } from './params.js';
import type { RecordedMoves } from './recorded-moves.js';
import {
  ClaimLostError,
  RetriesExhaustedError,
  assertWanted,
  timedOut,
  tooManyWaiting,
} from './send-errors.js';
import { submitSigned, type Submission } from './submit-signed.js';

export interface PipelineParts {
  readonly store: NonceStore;
  readonly moves: RecordedMoves;
  readonly clock: Clock;
  readonly timing: NonceManagerTiming;
}

/** A send on its way through the pipeline. */
interface Item {
  readonly send: ClaimedSend;
  readonly done: (hash: Hash) => void;
  readonly fail: (error: unknown) => void;
  submissions: number;
  /** Since when the client has been refusing its nonces as too high. */
  tooHighSinceMs: number | undefined;
}

/** Longest time that a group waits until the bytes of the one before are stored: a key may be slow to sign. */
const GATHER_MS = 50;

const noop = (): void => undefined;

/** First pause before a nonce that was too high is tried again; it doubles up to the second. */
const TOO_HIGH_PAUSE_MS = 20;
const MAX_TOO_HIGH_PAUSE_MS = 500;

/**
 * The sends of one nonce sequence in this replica: reserve → sign → store → submit.
 *
 * Nonces are reserved for all waiting sends at once, in order. While those are signed and stored, the next sends
 * queue up, so that in a busy sequence each statement and commit serves many sends. No database transaction is open
 * during a call to the client.
 */
export class SequencePipeline {
  private readonly waiting: Item[] = [];
  private inFlight = 0;
  /** Sends that pause, since the client wants lower nonces first. */
  private paused = 0;
  private reserving = false;
  /** While the client's count is doubted, until it is asked again. */
  private isPaused = false;
  /** Becomes 1 once the client has refused to queue a nonce. */
  private window = WINDOW;
  private countedAtMs = Number.NEGATIVE_INFINITY;
  /** The next nonce according to the client, when a nonce turned out to be taken. */
  private clientCount: bigint | undefined;

  private readonly sequence: NonceSequence;

  constructor(
    private readonly count: BelievedCount,
    private readonly parts: PipelineParts,
  ) {
    this.sequence = count.sequence;
  }

  /** Sends that wait for a nonce. */
  get waitingSends(): number {
    return this.waiting.length + this.paused;
  }

  /** Whether nothing is under way, so that another pipeline may take this one's place. */
  isIdle(): boolean {
    return this.waitingSends === 0 && this.inFlight === 0 && !this.reserving;
  }

  /**
   * @throws as the client or the database; RequestError REQUEST_TIMEOUT when the send was abandoned;
   *   RetriesExhaustedError; ClaimLostError
   */
  send(send: ClaimedSend): Promise<Hash> {
    if (this.waiting.length >= MAX_WAITING) return Promise.reject(tooManyWaiting());
    return new Promise((done, fail) => {
      this.waiting.push({ send, done, fail, submissions: 0, tooHighSinceMs: undefined });
      this.pump();
    });
  }

  private pump(): void {
    if (this.reserving || this.isPaused || this.waiting.length === 0 || this.inFlight >= this.window) return;
    this.reserving = true;
    void this.startGroup().finally(() => {
      this.reserving = false;
      this.pump();
    });
  }

  /**
   * Never rejects: errors are reported to the sends.
   */
  private async startGroup(): Promise<void> {
    // One turn of the event loop lets sends that arrived together share the reservation.
    await new Promise((turn) => setImmediate(turn));
    const group = this.takeGroup();
    const [first] = group;
    if (first === undefined) return;
    try {
      const clientCount = await this.countFor(first.send);
      if (this.count.isHeldBack) return this.holdBack(group);
      const nonces = await this.parts.store.reserve({
        sequenceId: this.sequence.id,
        wanted: group.length,
        clientCount,
      });
      const started = group.splice(0, nonces.length);
      this.inFlight += started.length;
      const stored = started.map((item, index) => this.run(item, nonces[index] as bigint));
      // The next sends queue up meanwhile; a single send does not wait.
      if (stored.length > 1) await this.atMost(GATHER_MS, Promise.all(stored));
    } catch (error) {
      this.countedAtMs = Number.NEGATIVE_INFINITY;
      // A rejection of one caller, for instance of its credentials, does not concern the others.
      const failed = error instanceof ForwardedError ? group.splice(0, 1) : group.splice(0);
      for (const { fail } of failed) fail(error);
    }
    this.waiting.unshift(...group);
  }

  private atMost(timeMs: number, event: Promise<unknown>): Promise<void> {
    return new Promise((done) => {
      const cancel = this.parts.clock.schedule(timeMs, done);
      void event.then(() => {
        cancel();
        done();
      });
    });
  }

  private takeGroup(): Item[] {
    const group: Item[] = [];
    while (group.length < this.window - this.inFlight) {
      const item = this.waiting.shift();
      if (item === undefined) break;
      try {
        assertWanted(item.send.signal);
        group.push(item);
      } catch (error) {
        item.fail(error);
      }
    }
    return group;
  }

  /** Leaves sends waiting until the client is asked again. */
  private holdBack(group: readonly Item[]): void {
    this.waiting.unshift(...group);
    this.isPaused = true;
    this.parts.clock.schedule(HELD_PAUSE_MS, () => {
      this.isPaused = false;
      this.pump();
    });
  }

  /** The next nonce according to the client; undefined when the known one is recent enough, or none is believed. */
  private async countFor({ client }: ClaimedSend): Promise<bigint | undefined> {
    const { clock, timing } = this.parts;
    const given = this.clientCount;
    this.clientCount = undefined;
    const isFresh = this.inFlight > 0 || clock.now() - this.countedAtMs < timing.countFreshMs;
    if (given === undefined && isFresh && !this.count.isHeldBack) return undefined;
    const count = await (given === undefined ? this.count.ask(client) : this.count.check(client, given));
    if (count !== undefined) this.countedAtMs = clock.now();
    return count;
  }

  /**
   * Resolves when the bytes are stored, or storing them has failed; the submission continues. Never rejects.
   */
  private run(item: Item, nonce: bigint): Promise<void> {
    const name = { sequenceId: this.sequence.id, nonce };
    const stored = this.signAndStore(item, name);
    void this.submit(item, name, stored);
    return stored.then(noop, noop);
  }

  private async submit(item: Item, name: NonceName, stored: Promise<SignedBytes | undefined>): Promise<void> {
    try {
      const signed = await stored;
      if (signed === undefined) {
        item.submissions += 1;
        this.again(item);
      } else {
        const most = MAX_SUBMISSIONS - item.submissions;
        const { submission, submissions } = await submitSigned(item.send, name, {
          signed,
          most,
          moves: this.parts.moves,
        });
        item.submissions += submissions;
        this.finish(item, submission);
      }
    } catch (error) {
      item.fail(error);
    } finally {
      this.inFlight -= 1;
      this.pump();
    }
  }

  /**
   * @returns undefined when the reservation was lost
   * @throws when nothing may be submitted, ClaimLostError among others; the nonce is free again
   */
  private async signAndStore({ send }: Item, name: NonceName): Promise<SignedBytes | undefined> {
    const { store, moves } = this.parts;
    let signed: SignedBytes | undefined;
    let outcome: StoredSigned | undefined;
    try {
      signed = await send.sign(name.nonce);
      const { raw, hash, recorded } = signed;
      const { sequenceId, nonce } = name;
      // First the audit entry: bytes that are stored may be submitted by the replica that takes them over. The commit
      // of the bytes is the one that waits for the disk, and that of the entry is before it in the log of the database.
      await recorded;
      outcome = await store.storeSigned({ sequenceId, nonce, raw, hash, claim: send.claim });
      assertWanted(send.signal);
      if (outcome === 'claim-lost') throw new ClaimLostError();
      return outcome === 'stored' ? signed : undefined;
    } catch (error) {
      const ours = await moves.report(name, { event: 'abandon', hash: signed?.hash });
      // Another replica has the bytes, or will when it takes them over.
      throw outcome === 'stored' && ours !== true ? timedOut() : error;
    }
  }

  private finish(item: Item, submission: Submission): void {
    switch (submission.status) {
      case 'sent':
        this.countedAtMs = this.parts.clock.now();
        return item.done(submission.hash);
      case 'failed':
        this.countedAtMs = Number.NEGATIVE_INFINITY;
        return item.fail(submission.error);
      case 'nonce-taken':
        this.clientCount = submission.clientCount;
        return this.again(item);
      case 'nonce-too-high':
        return this.againLater(item, submission.error);
    }
  }

  private again(item: Item): void {
    if (item.submissions >= MAX_SUBMISSIONS) item.fail(new RetriesExhaustedError());
    else this.waiting.unshift(item);
  }

  private againLater(item: Item, error: unknown): void {
    const { clock, timing } = this.parts;
    this.window = 1;
    // Waiting for others is bounded by time, not by count.
    item.submissions -= 1;
    item.tooHighSinceMs ??= clock.now();
    const elapsed = clock.now() - item.tooHighSinceMs;
    if (elapsed >= timing.gapPatienceMs) return item.fail(error);
    const pause = Math.min(Math.max(elapsed, TOO_HIGH_PAUSE_MS), MAX_TOO_HIGH_PAUSE_MS);
    this.paused += 1;
    clock.schedule(pause, () => {
      this.paused -= 1;
      this.again(item);
      this.pump();
    });
  }
}
