import type { Address, BlockHeader } from '@tetrad/types';
import type { ConsensusMessage, ProposedBlock, View } from '../messages/consensus-message.js';
import type { SignedRecord } from '../record/signed-record.js';
import type { TimerName } from './events.js';

/** A block under a quorum of seals. */
export interface CommittedBlock {
  readonly block: ProposedBlock;
  /** The block's header with the seals and the round. */
  readonly header: BlockHeader;
  readonly round: number;
}

/** An observation of the machine. */
export interface Report extends View {
  readonly what:
    | 'equivocation'
    | 'badSeal'
    | 'invalidMessage'
    | 'invalidProposal'
    | 'keyInUseElsewhere'
    | 'behind'
    | 'withheld';
  /** The validator concerned; absent when it is this node. */
  readonly sender?: Address;
  readonly text: string;
}

/** Effects that the driver runs in the order given: `persist` is durable before anything after it is sent. */
export type Effect =
  | { readonly type: 'persist'; readonly record: SignedRecord }
  | { readonly type: 'broadcast'; readonly message: ConsensusMessage }
  | { readonly type: 'send'; readonly to: Address; readonly message: ConsensusMessage }
  | ({ readonly type: 'startTimer'; readonly timer: TimerName; readonly delayMs: number } & View)
  | { readonly type: 'stopTimer'; readonly timer: TimerName }
  | ({ readonly type: 'requestCandidate' } & View)
  | ({ readonly type: 'validate'; readonly block: ProposedBlock } & View)
  | { readonly type: 'commit'; readonly committed: CommittedBlock }
  | { readonly type: 'report'; readonly report: Report };
