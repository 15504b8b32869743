import type { NonceMove, NonceName, NonceStore } from '@tetrad/signer-store';
import type { ForwardedError } from '@tetrad/rpc';
import type { Hash, Logger } from '@tetrad/types';
import { MOVES, type ReportedEvent } from './nonce-state.js';
import { writeAnswer } from './stored-answer.js';

export interface Report {
  readonly event: ReportedEvent;
  /** Of the bytes that it happened to; absent before there were any. When the nonce has others, nothing changes. */
  readonly hash?: Hash | undefined;
  /** The idempotency key of the send, when it has one. */
  readonly idempotency?: Uint8Array | undefined;
  /** What its duplicates are answered with; null gives the key up, absent leaves it in flight. */
  readonly answer?: Hash | ForwardedError | null | undefined;
}

/** Changes that could not be stored and wait for the database. */
const MAX_DEFERRED = 100_000;

/** Stores the events of nonces; those that the database cannot store now are retried. */
export class RecordedMoves {
  private deferred: NonceMove[] = [];

  constructor(
    private readonly store: NonceStore,
    private readonly logger: Logger,
  ) {}

  /**
   * Stores what happened to a nonce, with the answer to its send, in one transaction. Never rejects.
   * @returns false when the nonce no longer belongs to this replica; undefined when the event will be stored later
   */
  async report(name: NonceName, report: Report): Promise<boolean | undefined> {
    const { sequenceId, nonce } = name;
    const { event, hash } = report;
    let move: NonceMove = { sequenceId, nonce, hash, kind: MOVES[event] };
    try {
      // In here, since an answer that cannot be written must not keep the nonce from its state.
      move = { ...move, answer: keptAnswer(report) };
      return await this.store.move(move);
    } catch (error) {
      this.logger.warn('nonce state not stored, will retry', { nonce: nonce.toString(), event, error });
      if (this.deferred.length < MAX_DEFERRED) this.deferred.push(move);
      return undefined;
    }
  }

  /** Stores what was deferred; what fails again stays. */
  async retry(): Promise<void> {
    const moves = this.deferred;
    this.deferred = [];
    await Promise.all(moves.map((move) => this.store.move(move).catch(() => void this.deferred.push(move))));
  }
}

/** Undefined without an idempotency key, and while it stays in flight. */
function keptAnswer({ idempotency, answer }: Report): NonceMove['answer'] {
  if (idempotency === undefined || answer === undefined) return undefined;
  return { idempotency, json: answer === null ? null : writeAnswer(answer) };
}
