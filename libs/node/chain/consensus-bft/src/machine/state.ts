import type { Address, Hash } from '@tetrad/types';
import type {
  CommitMessage,
  PrepareMessage,
  ProposedBlock,
  RoundChangeMessage,
  SealMessage,
} from '../messages/consensus-message.js';
import { EMPTY_RECORD, type SignedRecord } from '../record/signed-record.js';
import type { FutureBuffer } from './future-buffer.js';
import type { Height } from './height.js';
import type { Votes } from './votes.js';

/**
 * How far a machine is within a round.
 *
 * idle        no head known yet
 * observing   not a validator of this height, silent, or pausing as its key signs elsewhere too: signs nothing
 * awaiting    of a proposal ("Accept request" of the reference)
 * validating  a proposal whose block the driver checks
 * preprepared the proposal is valid; a PREPARE was sent
 * prepared    a quorum prepared; a COMMIT was sent
 * decided     IBFT: a quorum committed; a SEAL was sent
 * committed   the sealed block is on its way into the chain
 */
export type Phase =
  'idle' | 'observing' | 'awaiting' | 'validating' | 'preprepared' | 'prepared' | 'decided' | 'committed';

/** The whole state of a machine; a new value after each event. */
export interface MachineState {
  readonly phase: Phase;
  readonly round: number;
  readonly record: SignedRecord;
  /** Messages of later heights. */
  readonly future: FutureBuffer;
  /** Time-outs of rounds at the height, with each repetition. */
  readonly lapses: number;
  readonly height?: Height | undefined;
  /** The proposal of the round, from `validating` on. */
  readonly proposal?: ProposedBlock | undefined;
  readonly prepares: Votes<PrepareMessage>;
  /** Those of the proposal's round are verified from `preprepared` on. */
  readonly commits: Votes<CommitMessage>;
  /** The newest of each validator. */
  readonly roundChanges: ReadonlyMap<Address, RoundChangeMessage>;
  /** Those to the current round of validators that a newer one is known of. */
  readonly lateChanges: ReadonlyMap<Address, RoundChangeMessage>;
  /** IBFT: one of each validator, of any round; verified once the block is decided. */
  readonly seals: ReadonlyMap<Address, SealMessage>;
  /** IBFT: the block that a quorum committed to at this height. */
  readonly decided?: ProposedBlock | undefined;
  /** The block this node built for the height. */
  readonly candidate?: ProposedBlock | undefined;
  readonly candidateRequested: boolean;
  /** Whether the delay of an empty block is still on. */
  readonly idleDelay: boolean;
  /** Blocks of the height that the driver has found valid, the newest last. */
  readonly validDigests: readonly Hash[];
  /** While it pauses as its key signs elsewhere too: the newest round of such a message. */
  readonly foreignRound?: number | undefined;
  /** Reports made at this height, so that each is made once. */
  readonly reported: ReadonlySet<string>;
}

/**
 * A machine before its first head.
 * @param record - as it was stored when the process ended
 */
export function initialState(record: SignedRecord = EMPTY_RECORD): MachineState {
  return { phase: 'idle', round: 0, record, future: new Map(), ...emptyHeight() };
}

/** The initial state of a height. */
export function emptyHeight() {
  return {
    lapses: 0,
    prepares: new Map() as Votes<PrepareMessage>,
    commits: new Map() as Votes<CommitMessage>,
    roundChanges: new Map<Address, RoundChangeMessage>(),
    seals: new Map<Address, SealMessage>(),
    proposal: undefined,
    decided: undefined,
    candidate: undefined,
    candidateRequested: false,
    idleDelay: false,
    validDigests: [],
    foreignRound: undefined,
    lateChanges: new Map<Address, RoundChangeMessage>(),
    reported: new Set<string>(),
  };
}
