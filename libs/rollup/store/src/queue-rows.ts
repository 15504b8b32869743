import type { Hash } from '@tetrad/types';
import type { BatchState } from './batch-rows.js';

export type QueuedState = Exclude<BatchState, 'final'>;

/** A batch on its way to the chain. */
export interface QueuedBatch {
  readonly height: number;
  readonly state: QueuedState;
  readonly operations: number;
  readonly size: number;
  readonly openedAt: Date;
  readonly sealedAt: Date | undefined;
  /** The process that proves it at the moment, and since when. */
  readonly prover: { readonly name: string; readonly since: Date } | undefined;
  readonly transactionHash: Hash | undefined;
  /** When the newest of its transactions was sent. */
  readonly submittedAt: Date | undefined;
  /** Why it last failed, for people. */
  readonly failure: string | undefined;
}

/** All batches that are not final. */
export interface BatchQueue {
  /** How many there are of a state and size, and how long ago the oldest of them was opened. */
  readonly counts: readonly {
    readonly state: QueuedState;
    readonly size: number;
    readonly count: number;
    readonly oldestSeconds: number;
  }[];
  /** The lowest ones. */
  readonly batches: readonly QueuedBatch[];
}
