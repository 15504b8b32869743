import { LRUCache } from 'lru-cache';
import type { Hash, SealedHeader } from '@tetrad/types';
import { isFaultOfBlock } from './fault-of-block.js';
import type { Ledger } from './ledger.js';

/** Ranges whose last snapshot is remembered while their blocks wait to be imported. */
const MAX_RANGES = 64;

/** The snapshot after a block; undefined when it depends on a state that is not available yet. */
interface RangeEnd<Snapshot> {
  readonly snapshot: Snapshot | undefined;
}

/**
 * Checks headers ahead of the chain, so that a range is only executed when the seals of all its blocks are valid.
 *
 * The snapshot before a header follows from the headers before it. Where it depends on the state too, which is not
 * available yet, the header is checked when its block is imported.
 */
export class HeaderVerifier<Snapshot> {
  private readonly ends = new LRUCache<Hash, RangeEnd<Snapshot>>({ max: MAX_RANGES });

  constructor(private readonly ledger: Ledger<Snapshot>) {}

  /**
   * @param blocks - one after the other on top of the parent
   * @returns the rule broken, or undefined
   */
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

  /** @returns undefined when the block is neither in the chain nor the end of a range that was checked */
  private async snapshotAfter({ hash, header }: SealedHeader): Promise<RangeEnd<Snapshot> | undefined> {
    const head = this.ledger.head();
    if (hash === head.hash) return { snapshot: this.ledger.snapshot() };
    const end = this.ends.get(hash);
    if (end !== undefined || header.number > head.header.number) return end;
    return { snapshot: await this.ledger.snapshotAt(header.number) };
  }
}
