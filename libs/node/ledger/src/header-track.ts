import { LRUCache } from 'lru-cache';
import type { Hash, SealedHeader } from '@tetrad/types';
import { isFaultOfBlock } from './fault-of-block.js';
import type { Ledger } from './ledger.js';

/** Ends of ranges whose snapshots are remembered while their blocks wait to be imported. */
const TRACKED = 64;

/** The snapshot after a block; undefined when it depends on a state that is not there yet. */
interface Tracked<Snapshot> {
  readonly snapshot: Snapshot | undefined;
}

/**
 * Checks headers ahead of the chain, so that a range is only executed when those who make blocks stand behind every
 * block of it.
 *
 * The snapshot before a header follows from the headers before it. Where it follows from the state too, which is not
 * there yet, the header is checked when its block is imported, like everything else of it.
 */
export class HeaderTrack<Snapshot> {
  private readonly ends = new LRUCache<Hash, Tracked<Snapshot>>({ max: TRACKED });

  constructor(private readonly ledger: Ledger<Snapshot>) {}

  /** In: blocks — one after the other on top of the parent. Out: the rule broken, or undefined */
  async verify(blocks: readonly SealedHeader[], parent: SealedHeader): Promise<string | undefined> {
    const start = await this.snapshotAfter(parent);
    if (start === undefined) return 'unknown ancestor';
    let { snapshot } = start;
    let previous = parent;
    try {
      for (const block of blocks) {
        if (snapshot !== undefined) {
          this.ledger.checkHeader(block, previous, snapshot);
          snapshot = this.ledger.rules.foreseeSnapshot(snapshot, block.header);
        }
        previous = block;
      }
    } catch (error) {
      if (isFaultOfBlock(error)) return error.message;
      throw error;
    }
    this.ends.set(previous.hash, { snapshot });
    return undefined;
  }

  /** Out: undefined when the block is neither in the chain nor the end of a range that was checked */
  private async snapshotAfter({ hash, header }: SealedHeader): Promise<Tracked<Snapshot> | undefined> {
    const head = this.ledger.head();
    if (hash === head.hash) return { snapshot: this.ledger.snapshot() };
    const tracked = this.ends.get(hash);
    if (tracked !== undefined || header.number > head.header.number) return tracked;
    return { snapshot: await this.ledger.snapshotAt(header.number) };
  }
}
