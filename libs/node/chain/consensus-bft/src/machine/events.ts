import type { Hash } from '@tetrad/types';
import type { ConsensusMessage, ProposedBlock, View } from '../messages/consensus-message.js';
import type { HeightContext } from './height.js';

export type TimerName = 'round' | 'retry';

/** Result of the validity check of a proposal. */
export type Verdict = 'valid' | 'invalid' | { readonly retryAfterMs: number };

/** Input of the machine; the driver has decoded and authenticated external messages. */
export type MachineEvent =
  | { readonly type: 'message'; readonly message: ConsensusMessage }
  | ({ readonly type: 'timer'; readonly timer: TimerName } & View)
  /** The block this node built on top of its head; absent when it could not build one. */
  | { readonly type: 'candidate'; readonly height: number; readonly block?: ProposedBlock }
  /** The chain has a new head, or the node has just started. */
  | { readonly type: 'head'; readonly context: HeightContext; readonly atMs: number }
  /** Transactions wait, so an empty block's delay is over. */
  | { readonly type: 'work'; readonly atMs: number }
  | {
      readonly type: 'validated';
      readonly height: number;
      readonly digest: Hash;
      readonly verdict: Verdict;
    }
  /** The chain could not take the committed block; its success is the next `head`. */
  | { readonly type: 'insertionFailed'; readonly height: number };
