import type { FlatEntry } from '@tetrad/node-execution';
import type { LedgerStore, StatePart } from '@tetrad/node-store';
import type { Hash } from '@tetrad/types';
import type { StateSpan } from './state-places.js';

/** What was taken from one state. */
export interface TakenPart extends StatePart, StateSpan {}

export interface PartRepairOptions {
  readonly store: { readonly stateSync: Pick<LedgerStore['stateSync'], 'repair'> };
  readonly part: TakenPart;
  /** Root of the state that the part is made one of. */
  readonly stateRoot: Hash;
  /** Flat rows that are changed at once. */
  readonly rows: number;
}

/** The changes that make a part one of another state: some are gathered, and stored with the place up to which it is. */
export class PartRepair {
  private begin: Uint8Array;
  private cleared: Uint8Array[] = [];
  private removed: Uint8Array[] = [];
  private flat: FlatEntry[] = [];

  constructor(private readonly options: PartRepairOptions) {
    this.begin = options.part.from;
  }

  /** All rows of the address go. */
  clear(address: Uint8Array): void {
    this.cleared.push(address);
  }

  remove(key: Uint8Array): void {
    this.removed.push(key);
  }

  put(entry: FlatEntry): void {
    this.flat.push(entry);
  }

  /**
   * Stores what was gathered once that is much.
   * @param place - all before it was gathered or is the same in both states; undefined: all that there may be
   */
  async reach(place: Uint8Array | undefined): Promise<void> {
    const { part, rows } = this.options;
    if (this.cleared.length + this.removed.length + this.flat.length < rows) return;
    // Where the next part begins it is of its own state.
    const isInside = place !== undefined && (part.end === undefined || Buffer.compare(place, part.end) < 0);
    if (isInside) await this.store(place);
  }

  /** Stores what is left: the part is one of the other state then. */
  async end(): Promise<void> {
    await this.store(undefined);
  }

  private async store(end: Uint8Array | undefined): Promise<void> {
    const { store, part, stateRoot } = this.options;
    const { cleared, removed, flat } = this;
    [this.cleared, this.removed, this.flat] = [[], [], []];
    const nothing = { nodes: [], codes: [], preimages: [] };
    await store.stateSync.repair({
      ...nothing,
      from: this.begin,
      end,
      root: part.root,
      repaired: stateRoot,
      cleared,
      removed,
      flat,
    });
    this.begin = end ?? this.begin;
  }
}
