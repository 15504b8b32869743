import type { Address, Clock, Logger, Metrics } from '@tetrad/types';
import type { CommittedBlock } from '../machine/effects.js';
import type { Verdict } from '../machine/events.js';
import type { ProposedBlock, View } from '../messages/consensus-message.js';
import type { HeaderFormat } from '../messages/proposed-block.js';

/** Sends messages; no method waits for a peer or fails. */
export interface ConsensusNetwork {
  /** To every connected validator. */
  broadcast(message: Uint8Array): void;
  /** To one validator; dropped without a connection to it. */
  send(to: Address, message: Uint8Array): void;
}

/** What the engine needs of the ledger. Validating or building a block keeps its execution result. */
export interface ConsensusLedger {
  /**
   * Builds a block on top of the head. For round 0 it resolves when the block may be proposed, so after the block
   * period, or the longer one of an empty block; above round 0 the other validators wait and only the period counts.
   * @param signal - aborted when the height is decided without the block, or the engine stops; the call ends then
   * @returns RLP of the block with the header of `proposalHeader`; undefined when none can be built
   */
  buildCandidate(view: View, signal: AbortSignal): Promise<Uint8Array | undefined>;
  /**
   * Checks everything about a proposed block except its seals, and executes it; at most once per hash.
   * @returns `{ retryAfterMs }` when the block is ahead of the clock, or could not be checked now
   */
  validateProposal(block: ProposedBlock): Promise<Verdict>;
  /**
   * Makes the block, which was built or validated here, the head.
   * @throws when the chain cannot take it
   */
  commitBlock(committed: CommittedBlock): Promise<void>;
}

export interface BftEnginePorts {
  readonly network: ConsensusNetwork;
  readonly ledger: ConsensusLedger;
  /**
   * Resolves when the record is durable.
   * @param record - from `encodeSignedRecord`
   * @param view - of the record
   */
  readonly persist: (record: Uint8Array, view: View) => Promise<void>;
  /** Called when other validators are far ahead, so that blocks should be fetched. */
  readonly onBehind?: (height: number) => void;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

export interface BftEngineOptions extends BftEnginePorts {
  readonly address: Address;
  /**
   * 65-byte signature of a 32-byte digest with the validator's key; a promise when the key is elsewhere, of
   * undefined when it does not sign in time. Events wait for it, so it settles well within a round.
   */
  readonly sign: (digest: Uint8Array) => Uint8Array | Promise<Uint8Array | undefined>;
  /** Whether it signs nothing and only follows; false by default. */
  readonly isSilent?: boolean;
  /** Which header format blocks of a height have. */
  readonly formatAt: (height: number) => HeaderFormat;
  /** Bytes of the largest message: a block and its justification. */
  readonly maxMessageBytes?: number;
}

/** Verdict on a received message. */
export type MessageVerdict =
  | { readonly outcome: 'accepted' }
  | {
      readonly outcome: 'ignored';
      readonly reason: 'duplicate' | 'old' | 'notValidator' | 'busy' | 'notRunning';
    }
  /** @param score - penalty of the peer that sent it; 100 cuts it off */
  | { readonly outcome: 'invalid'; readonly reason: string; readonly score: number };
