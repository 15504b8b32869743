import type { StateDatabase } from '@tetrad/node-execution';
import type { LedgerStore } from '@tetrad/node-store';
import type { Block, Metrics, SealedHeader } from '@tetrad/types';
import { checkBlock, type CheckingLedger } from './block-check.js';
import type { ExecutedBlock } from './block-execution.js';
import { HELD_LEEWAY_MS, SEALED_LEEWAY_MS, type BlockLead } from './block-lead.js';
import { BlockPhases } from './block-phases.js';
import { BlockStorage, type BlockJoin } from './block-storage.js';
import { assertHeader } from './block-verification.js';
import type { ChainHead } from './chain-head.js';
import type { ChainReader } from './chain-reader.js';
import type { HeaderConditions } from './consensus-rules.js';
import type { SnapshotHistory } from './snapshot-history.js';

interface ChainGrowthParts<Snapshot> {
  readonly store: LedgerStore;
  readonly metrics: Metrics;
  readonly state: StateDatabase;
  readonly reader: ChainReader;
  readonly snapshots: SnapshotHistory<Snapshot>;
  readonly head: ChainHead;
  readonly lead: BlockLead;
  readonly ledger: CheckingLedger<Snapshot>;
}

/** Moves the head: checks blocks, stores them, and then makes them the head. */
export class ChainGrowth<Snapshot> {
  private readonly phases: BlockPhases;
  private readonly storage: BlockStorage;

  constructor(private readonly parts: ChainGrowthParts<Snapshot>) {
    this.phases = new BlockPhases(parts.metrics);
    this.storage = new BlockStorage(parts.store, this.phases);
  }

  /** Whether the block after the head is being stored. */
  isStoring(): boolean {
    return this.storage.isWriting();
  }

  /** As `BlockStorage.join`. */
  join(join: BlockJoin): void {
    this.storage.join(join);
  }

  /** As `Ledger.importBlock`. */
  importBlock(block: Block): Promise<void> {
    return this.storage.inTurn(async () => {
      if (block.hash === this.parts.head.block.hash) return;
      const executed = await this.check(block, this.conditions(SEALED_LEEWAY_MS));
      await this.write(block, executed);
    });
  }

  /** As `Ledger.append`. */
  append(block: Block, executed: ExecutedBlock): Promise<void> {
    return this.storage.inTurn(async () => {
      if (block.hash === this.parts.head.block.hash) return;
      assertHeader(block, this.parts.ledger, this.conditions(SEALED_LEEWAY_MS));
      await this.write(block, executed);
    });
  }

  /** As `Ledger.checkHeader`. */
  checkHeader(block: SealedHeader, parent: SealedHeader, snapshot: Snapshot): void {
    assertHeader(block, this.parts.ledger, { ...this.conditions(HELD_LEEWAY_MS), parent, snapshot });
  }

  /** As `Ledger.checkProposal`. */
  checkProposal(block: Block): Promise<ExecutedBlock> {
    return this.check(block, { ...this.conditions(), isProposal: true });
  }

  /** Checks and executes a stored block, which is not in the future, whatever the clock says today. */
  checkStored(block: Block, parent: Block, snapshot: Snapshot): Promise<ExecutedBlock> {
    return this.check(block, { ...this.conditions(Infinity), parent, snapshot });
  }

  private check(block: Block, conditions: HeaderConditions<Snapshot>): Promise<ExecutedBlock> {
    return checkBlock(this.parts.ledger, block, { conditions, phases: this.phases });
  }

  /** The values against which the block after the head is checked. */
  private conditions(leewayMs = 0): HeaderConditions<Snapshot> {
    const { head, snapshots, lead } = this.parts;
    return {
      parent: head.block,
      snapshot: snapshots.head(),
      latestMs: lead.latestMs() + leewayMs,
      isProposal: false,
    };
  }

  /** Stores a block, and then makes it the head in memory. */
  private async write(block: Block, executed: ExecutedBlock): Promise<void> {
    const { snapshots, state, reader, head } = this.parts;
    const { rows: ofConsensus, snapshot } = snapshots.after(block, executed.namedValidators);
    const totalTransactions = head.totalTransactions + block.transactions.length;
    await this.storage.write(block, executed, { totalTransactions, ofConsensus });
    snapshots.adopt(block.header.number, snapshot);
    state.adopt(executed.changes);
    reader.remember(block, executed.receipts);
    head.moveTo(block, executed.receipts);
  }
}
