import type { StoredRepair } from '@tetrad/node-store';
import type { Address, Hash } from '@tetrad/types';
import type { DumpedContract } from '../extension/dump-contract.js';
import type { SharedState } from '../extension/shared-state.js';

/** A contract that is replaced at the end of a block. */
export interface DueRepair {
  readonly contract: Address;
  /** Whose code and slots are those of its hashes. */
  readonly state: SharedState;
  /**
   * The row of the repair.
   * @param before - the contract as the block's transactions left it
   * @returns undefined when it is not to be replaced after all
   */
  record(before: DumpedContract | 'tooLarge' | undefined): StoredRepair | undefined;
}

/** What is to be replaced at the end of a block; `paused` while it is not known yet. */
export type DueRepairs =
  | { readonly kind: 'known'; readonly repairs: readonly DueRepair[] }
  | { readonly kind: 'paused'; readonly reason: string };

/** Contracts whose state comes from other parties, by the blocks at whose ends they are replaced. */
export interface RepairSource {
  /** Of a block that private state follows next. The same again for a block that is executed again. */
  dueAt(block: { readonly number: number; readonly hash: Hash }): Promise<DueRepairs>;
  /** What `dueAt` said of the block is stored. */
  written(block: number): void;
}
