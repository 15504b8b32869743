import type { RepairStore, StoredRepair } from '@tetrad/node-store';
import { decodeSharedState } from '../extension/shared-state.js';
import type { DueRepair, DueRepairs, RepairSource } from './repair-source.js';

/** Repairs that are stored, for blocks that are executed again, and those that an operator has ordered. */
export class StoredRepairs implements RepairSource {
  private ordered: RepairSource | undefined;
  /** Blocks with a stored repair. */
  private blocks: Promise<Set<number>> | undefined;

  constructor(private readonly store: Pick<RepairStore, 'listBlocks' | 'listAt'>) {}

  /** @param ordered - asked for blocks without a stored repair from now on */
  bind(ordered: RepairSource): void {
    this.ordered = ordered;
  }

  /** Whether a contract was replaced at the end of the block. */
  async has(block: number): Promise<boolean> {
    return (await this.list()).has(block);
  }

  async dueAt(block: Parameters<RepairSource['dueAt']>[0]): Promise<DueRepairs> {
    if (await this.has(block.number))
      return { kind: 'known', repairs: (await this.store.listAt(block.number)).map(again) };
    return this.ordered?.dueAt(block) ?? { kind: 'known', repairs: [] };
  }

  written(block: number): void {
    this.blocks = undefined;
    this.ordered?.written(block);
  }

  private list(): Promise<Set<number>> {
    const blocks = (this.blocks ??= this.store.listBlocks().then((found) => new Set(found)));
    // The caller gets the error; the next one reads again.
    blocks.catch(() => (this.blocks = undefined));
    return blocks;
  }
}

function again(row: StoredRepair): DueRepair {
  const state = decodeSharedState(row.payloadAfter, row.contract);
  if (state === undefined)
    throw new Error(`the repair of contract ${row.contract} at block ${row.block} cannot be read`);
  return { contract: row.contract, state, record: () => row };
}
