import type { SigningKey } from '@tetrad/crypto';
import { BlockDraft, BlockPhases, draftHeader, type BlockExecution, type Ledger } from '@tetrad/node-ledger';
import type { TransactionPool } from '@tetrad/node-pool';
import { TimeSlices, type Address, type Block, type Clock, type Logger, type Metrics } from '@tetrad/types';
import type { RaftChainRules, RaftSnapshot } from '../raft-chain-rules.js';
import { raftSealDigest, sealHeader } from '../raft-seal.js';
import type { MintedBlock, Minter } from './minter.js';

export interface BlockMinterOptions {
  readonly ledger: Ledger<RaftSnapshot>;
  readonly rules: RaftChainRules;
  readonly pool: Pick<TransactionPool, 'select' | 'discard' | 'status' | 'onTransaction'>;
  /**
   * Signs with the node key, which seals blocks.
   * @throws RequestError KEY_UNAVAILABLE; this node sits out then
   */
  readonly sign: SigningKey['sign'];
  /** Proposer of the node key; paid for gas where gas has a price. */
  readonly proposer: Address;
  /** How long one block may be filled. Units: ms */
  readonly fillMs: number;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** Whether the error means that the database is unavailable and the same work may be tried again. */
  readonly isDatabaseUnavailable: (error: unknown) => boolean;
}

/** Drafts that one block may discard because a transaction in them was replaced, or could not be executed. */
const MAX_SPOILT_DRAFTS = 3;

/** Fills a block with transactions of the pool, and seals it. */
export class BlockMinter implements Minter<Block> {
  private readonly phases: BlockPhases;

  constructor(private readonly options: BlockMinterOptions) {
    this.phases = new BlockPhases(options.metrics);
  }

  hasWork(): boolean {
    return this.options.pool.status().pending > 0;
  }

  onWork(listener: () => void): () => void {
    return this.options.pool.onTransaction(() => {
      // Transactions queued behind a nonce gap do not justify a block.
      if (this.hasWork()) listener();
    });
  }

  async mint(
    { raftId }: { readonly raftId: number },
    signal: AbortSignal,
  ): Promise<MintedBlock<Block> | undefined> {
    const { ledger, rules, clock, proposer } = this.options;
    const parent = ledger.head();
    const [now, earliest] = [rules.timestampAt(clock.now()), parent.header.timestamp + 1n];
    const timestamp = now > earliest ? now : earliest;
    const context = ledger.contextAbove(rules.nextContext(parent.header, { proposer, timestamp }));
    for (let spoilt = 0; spoilt < MAX_SPOILT_DRAFTS && !signal.aborted; spoilt++) {
      const draft = this.openDraft(ledger.execute(context, await ledger.worldAt(parent)));
      try {
        await this.fill(draft, signal);
        if (draft.isBroken || draft.isOutdated) continue;
        if (draft.isEmpty || signal.aborted) return undefined;
        return await this.seal(draft.execution, { raftId, timestamp, parent });
      } finally {
        draft.close();
      }
    }
    return undefined;
  }

  private openDraft(execution: BlockExecution): BlockDraft {
    const { pool, logger, isDatabaseUnavailable } = this.options;
    return new BlockDraft({ execution, pool, logger, isDatabaseUnavailable });
  }

  private async fill(draft: BlockDraft, signal: AbortSignal): Promise<void> {
    const { clock, fillMs } = this.options;
    const started = performance.now();
    const endsMs = clock.now() + fillMs;
    const slices = new TimeSlices();
    while (draft.hasNext && !draft.isBroken && !signal.aborted && clock.now() < endsMs) {
      await draft.executeNext();
      if (slices.isOver()) await slices.pause();
    }
    this.phases.took('execution', performance.now() - started);
  }

  private async seal(
    execution: BlockExecution,
    {
      raftId,
      timestamp,
      parent,
    }: { readonly raftId: number; readonly timestamp: bigint; readonly parent: Block },
  ): Promise<MintedBlock<Block>> {
    const { ledger, rules, sign } = this.options;
    const started = performance.now();
    const executed = await execution.finish();
    const draft = draftHeader({
      parentHash: parent.hash,
      timestamp,
      block: execution.block,
      fork: ledger.executor.rules(execution.block),
      commitments: { ...executed, stateRoot: executed.changes.stateRoot },
    });
    const signature = await sign(raftSealDigest(draft));
    const header = sealHeader(draft, { raftId, signature });
    this.phases.took('hashing', performance.now() - started);
    const block = { hash: rules.hashHeader(header), header, transactions: executed.transactions };
    return { block, size: block.transactions.length, store: () => ledger.append(block, executed) };
  }
}
