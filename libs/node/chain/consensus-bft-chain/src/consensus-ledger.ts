import { decodeBlock, encodeBlock } from '@tetrad/node-block';
import type {
  CommittedBlock,
  ConsensusLedger,
  ProposedBlock,
  Verdict,
  View,
} from '@tetrad/node-consensus-bft';
import { decodeTransaction } from '@tetrad/node-execution';
import { isFaultOfBlock, type Ledger } from '@tetrad/node-ledger';
import type { TransactionPool } from '@tetrad/node-pool';
import {
  pause,
  type Address,
  type Block,
  type Clock,
  type Counter,
  type Hash,
  type Logger,
  type Metrics,
} from '@tetrad/types';
import type { BlockBuilder } from './block-builder.js';
import type { DueTimes } from './height-context.js';
import { KnownBlocks } from './known-blocks.js';

const RETRY_MS = 500;

/** Clocks that are kept differ by less. */
const EARLY_MS = 500;

interface RefusedProposal {
  readonly number: number;
  readonly hash: Hash;
  readonly proposer: Address;
}

export interface LedgerForConsensusOptions {
  readonly ledger: Ledger;
  readonly pool: TransactionPool;
  readonly builder: BlockBuilder;
  /** When the block after the head is due. */
  readonly times: () => DueTimes;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** Whether the error means that the database is unavailable and the same work may be tried again. */
  readonly isDatabaseUnavailable: (error: unknown) => boolean;
}

/** The chain as consensus uses it: builds blocks to propose, validates proposals, and sets the head. */
export class LedgerForConsensus implements ConsensusLedger {
  /** Why a committed block cannot be stored at the moment. */
  trouble: string | undefined;
  private readonly known = new KnownBlocks();
  private readonly blocks: Counter;
  private readonly transactions: Counter;
  private readonly refused: Counter;
  /** The newest proposal that was ahead of the clock. */
  private lastEarly: Hash | undefined;
  private stopped = false;

  constructor(private readonly options: LedgerForConsensusOptions) {
    const { metrics } = options;
    this.blocks = metrics.counter('node_blocks_produced_total', 'Blocks this node proposed');
    const help = 'Proposals of others that were not valid, or ahead of the clock of this host';
    this.refused = metrics.counter('node_proposals_refused_total', help, ['why']);
    this.transactions = metrics.counter('node_transactions_mined_total', 'Transactions in them');
  }

  async buildCandidate({ height, round }: View, signal: AbortSignal): Promise<Uint8Array | undefined> {
    const { builder, ledger, clock } = this.options;
    if (ledger.head().header.number + 1 !== height) return undefined;
    const times = this.options.times();
    // Above round 0 the other validators wait for this block, even when it is empty.
    const built = await builder.build(
      { ...times, idleEndsMs: round === 0 ? times.idleEndsMs : times.periodEndsMs },
      signal,
    );
    if (built === undefined) return undefined;
    this.known.add({ ...built, seenMs: clock.now() });
    this.blocks.increment();
    this.transactions.increment({}, built.block.transactions.length);
    return encodeBlock(built.block);
  }

  async validateProposal({ hash, encoded, author: proposer, header }: ProposedBlock): Promise<Verdict> {
    if (this.known.find(hash) !== undefined) return 'valid';
    const { ledger, clock } = this.options;
    const about = { number: header.number, hash, proposer };
    const seenMs = clock.now();
    try {
      const block = await this.decode(encoded);
      const waitMs = ledger.aheadMs(block);
      if (waitMs > 0) {
        this.noteEarly(about, waitMs);
        return { retryAfterMs: waitMs };
      }
      const executed = await ledger.checkProposal(block);
      this.known.add({ block, executed, seenMs });
      return 'valid';
    } catch (error) {
      if (!isFaultOfBlock(error)) throw error;
      this.refused.increment({ why: 'invalid' });
      this.options.logger.warn('a proposal is invalid', { ...about, reason: error.message });
      return 'invalid';
    }
  }

  /** A proposal that is ahead of this node's clock waits for its time, and its round may end before. */
  private noteEarly(about: RefusedProposal, waitMs: number): void {
    if (waitMs < EARLY_MS || this.lastEarly === about.hash) return;
    this.lastEarly = about.hash;
    this.refused.increment({ why: 'early' });
    const seconds = waitMs / 1_000;
    this.options.logger.warn('a proposal is ahead of the clock of this host', { ...about, seconds });
  }

  /** Stores the block, again and again while the database is unavailable: it is final, so no other may take its place. */
  async commitBlock({ block: { hash, encoded }, header }: CommittedBlock): Promise<void> {
    const known = this.known.find(hash);
    const block: Block = { ...(known?.block ?? (await this.decode(encoded))), header };
    for (let isRetry = false; !this.stopped; isRetry = true) {
      try {
        await this.append(block);
        if (isRetry) this.options.logger.info('the chain goes on', { number: header.number });
        this.trouble = undefined;
        return;
      } catch (error) {
        this.report(error);
        if (!this.options.isDatabaseUnavailable(error)) throw error;
        await pause(this.options.clock, RETRY_MS);
      }
    }
  }

  /** When this node first saw a block that is the head now; undefined when it did not take part in the decision. */
  seenMs(block: Block): number | undefined {
    return this.known.find(block.hash)?.seenMs;
  }

  /** The head moved. */
  forget(): void {
    this.known.clear();
  }

  stop(): void {
    this.stopped = true;
  }

  private async append(block: Block): Promise<void> {
    const { ledger } = this.options;
    // A peer may have sent it while this node was still collecting seals.
    if (ledger.head().hash === block.hash) return;
    const executed = this.known.find(block.hash)?.executed;
    if (executed === undefined) await ledger.importBlock(block);
    else await ledger.append(block, executed);
  }

  private decode(encoded: Uint8Array): Promise<Block> {
    const { ledger, pool } = this.options;
    const { chainId } = ledger.genesis;
    // Nearly all of them are in the pool, and handing them to another thread would delay the round.
    const decode = (raw: Uint8Array, hash: Hash) => decodeTransaction(raw, chainId, hash);
    return decodeBlock(encoded, {
      hashHeader: (header) => ledger.rules.hashHeader(header),
      decode,
      findKnown: (hash) => pool.find(hash),
    });
  }

  /** Logs one line when the trouble begins, not one per attempt. */
  private report(error: unknown): void {
    const message = error instanceof Error ? error.message : String(error);
    if (this.trouble === undefined) this.options.logger.error('a block cannot be stored', { error });
    this.trouble = message;
  }
}
