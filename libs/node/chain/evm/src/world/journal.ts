import type { Word } from '../word/word.js';
import type { Missing, Supply } from './state-source.js';

/** A log as the EVM writes it. */
export interface EvmLog {
  readonly address: Word;
  readonly topics: readonly Word[];
  readonly data: Uint8Array;
}

/** One change that can be reverted. */
export interface Change {
  undo(): void;
}

/** A place in the journal to which a failing frame goes back. */
export interface Checkpoint {
  readonly changes: number;
  readonly logs: number;
  readonly touched: number;
  readonly refund: number;
}

/** An account as the end of a transaction finds it. */
export interface JournaledAccount {
  readonly key: Word;
  readonly world: object;
  readonly exists: boolean;
  readonly isEmpty: boolean;
  readonly destroyedIn: number;
  remove(): void;
}

/** RIPEMD-160. */
const KEPT_TOUCH = 3;

/**
 * The changes of an execution in order, over all of its worlds, so that frames can be reverted.
 *
 * Worlds of one execution share a journal: one checkpoint covers both.
 */
export class Journal {
  /** Number of the transaction; entries with another number belong to an earlier one. */
  transaction = 1;
  /** Gas that the transaction gets back if it succeeds. */
  refund = 0;
  logs: EvmLog[] = [];
  /** Accounts that this transaction touched, for EIP-161. */
  touched: JournaledAccount[] = [];
  /** Accounts that this transaction destroys. */
  destroyed: JournaledAccount[] = [];
  /** How often something was missing and had to be fetched. */
  fetches = 0;
  private missing: { readonly supply: Supply; readonly what: Missing }[] = [];
  private changes: Change[] = [];

  checkpoint(): Checkpoint {
    const { changes, logs, touched, refund } = this;
    return { changes: changes.length, logs: logs.length, touched: touched.length, refund };
  }

  record(change: Change): void {
    this.changes.push(change);
  }

  revert(to: Checkpoint): void {
    for (let at = this.changes.length - 1; at >= to.changes; at--) (this.changes[at] as Change).undo();
    this.changes.length = to.changes;
    this.logs.length = to.logs;
    this.refund = to.refund;
    this.revertTouches(to.touched);
  }

  /** Ends the transaction: its changes can no longer be reverted. */
  next(): void {
    this.transaction++;
    this.changes = [];
    this.logs = [];
    this.touched = [];
    this.destroyed = [];
    this.refund = 0;
  }

  miss(supply: Supply, what: Missing): undefined {
    this.missing.push({ supply, what });
    return undefined;
  }

  get hasMissing(): boolean {
    return this.missing.length > 0;
  }

  /** Fetches everything that was found missing, from each supply in one set. */
  async fetch(): Promise<void> {
    const { missing } = this;
    this.missing = [];
    this.fetches++;
    const supplies = new Set(missing.map(({ supply }) => supply));
    for (const supply of supplies) {
      await supply.fetch(missing.filter((item) => item.supply === supply).map(({ what }) => what));
    }
  }

  /**
   * The touch of RIPEMD-160 survives a failing frame: clients behaved so in block 2,675,119 of mainnet, and it has been the
   * rule since.
   */
  private revertTouches(length: number): void {
    if (this.touched.length === length) return;
    const kept = this.touched.slice(length).filter(({ key }) => key === KEPT_TOUCH);
    this.touched.length = length;
    this.touched.push(...kept);
  }
}
