import type { ConsensusRules, Ledger } from '@tetrad/node-ledger';
import type { SealedHeader } from '@tetrad/types';
import type { SourcePool } from './source-pool.js';
import type { VerifiedSource } from './verified-source.js';

/** A chain of any engine, of which no block but block 0 was executed here. */
export interface JoinedChain<Snapshot> {
  readonly ledger: Ledger<Snapshot>;
  /** Those of the ledger. */
  readonly rules: ConsensusRules<Snapshot>;
}

/** A header, and what the rules of its engine keep after it. */
export interface KnownHeader<Snapshot> {
  readonly block: SealedHeader;
  readonly snapshot: Snapshot;
}

/** What shows that headers are those of the chain: seals of its validators, or the log that orders its blocks. */
export interface HeaderEvidence<Snapshot> {
  /**
   * Finds out what is needed before headers are asked for.
   * @param after - the newest header that was verified
   * @returns the newest header to take; undefined where it is the newest but one of the peers
   */
  gather(after: KnownHeader<Snapshot>): Promise<number | undefined>;
  /** How many headers are verified together after the number, at most. */
  spanAfter(number: number): number;
  /**
   * @param headers - from one source, on top of the last known one
   * @throws InvalidBlockError when they are not of the chain, or the source does not show it
   */
  verify(
    headers: readonly SealedHeader[],
    after: KnownHeader<Snapshot>,
    source: VerifiedSource,
  ): Promise<KnownHeader<Snapshot>[]>;
  /**
   * The last header with what the state after it shows.
   * @throws as `verify`
   */
  settle(last: KnownHeader<Snapshot>, source: VerifiedSource): Promise<KnownHeader<Snapshot>>;
}

/** Evidence for one run, which may ask the sources of the run. */
export type EvidenceOfRun<Snapshot> = (pool: SourcePool) => HeaderEvidence<Snapshot>;
