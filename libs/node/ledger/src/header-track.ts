import { LRUCache } from 'lru-cache';
import type { ValidatorSnapshot } from '@tetrad/node-consensus-bft';
import type { Hash, SealedHeader } from '@tetrad/types';
import { isFaultOfBlock } from './invalid-block-error.js';
import type { Ledger } from './ledger.js';

/** Ends of ranges whose validators are remembered while their blocks wait to be imported. */
const TRACKED = 64;

/** The validators after a block; undefined when a contract names them and its state is not there yet. */
interface Tracked {
  readonly snapshot: ValidatorSnapshot | undefined;
}

/**
 * Checks headers ahead of the chain, so that a range is only executed when a quorum stands behind every block of it.
 *
 * The validators of a header follow from the votes in those before it. Those that a contract names follow from the
 * state, which is not there yet: such a header is checked when its block is imported, like everything else of it.
 */
export class HeaderTrack {
  private readonly ends = new LRUCache<Hash, Tracked>({ max: TRACKED });

  constructor(private readonly ledger: Ledger) {}

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
          snapshot = this.next(snapshot, block);
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

  /** Undefined when it cannot be known before the block is executed. */
  private next(before: ValidatorSnapshot, { header }: SealedHeader): ValidatorSnapshot | undefined {
    const { rules } = this.ledger;
    if (rules.settingsAt(header.number).validatorContract !== undefined) return undefined;
    return rules.snapshotAfter(before, header, undefined);
  }

  /** Out: undefined when the block is neither in the chain nor the end of a range that was checked */
  private async snapshotAfter({ hash, header }: SealedHeader): Promise<Tracked | undefined> {
    const head = this.ledger.head();
    if (hash === head.hash) return { snapshot: this.ledger.snapshot() };
    const tracked = this.ends.get(hash);
    if (tracked !== undefined || header.number > head.header.number) return tracked;
    return { snapshot: await this.ledger.snapshotAt(header.number) };
  }
}
