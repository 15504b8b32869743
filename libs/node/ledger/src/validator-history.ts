import { LRUCache } from 'lru-cache';
import type { ValidatorSnapshot } from '@tetrad/node-consensus-bft';
import type { ValidatorChange, ValidatorStore } from '@tetrad/node-store';
import type { Address, SealedHeader } from '@tetrad/types';
import { validatorChange, type ChainRules } from './chain-rules.js';
import { InvalidBlockError } from './invalid-block-error.js';

/** Snapshots of blocks below the head that stay in memory, as upstream. */
const CACHED_SNAPSHOTS = 128;

/** The validators after every block: the newest in memory, older ones from the store. */
export class ValidatorHistory {
  private readonly older = new LRUCache<number, ValidatorSnapshot>({ max: CACHED_SNAPSHOTS });

  constructor(
    private readonly rules: ChainRules,
    private readonly store: ValidatorStore,
    private newest: ValidatorSnapshot,
  ) {}

  head(): ValidatorSnapshot {
    return this.newest;
  }

  async at(blockNumber: number): Promise<ValidatorSnapshot> {
    if (blockNumber === this.newest.number) return this.newest;
    const known = this.older.get(blockNumber);
    if (known !== undefined) return known;
    const row = await this.store.findSnapshot(blockNumber);
    if (row === undefined) throw new InvalidBlockError('unknown block');
    const snapshot: ValidatorSnapshot = { number: blockNumber, ...row };
    this.older.set(blockNumber, snapshot);
    return snapshot;
  }

  /**
   * What a block on top of the head makes of the newest snapshot, and what of that the store must write.
   *
   * Fails: ConsensusError when the block's author is no validator
   */
  after(
    { header }: SealedHeader,
    contractValidators: readonly Address[] | undefined,
  ): { readonly snapshot: ValidatorSnapshot; readonly change: ValidatorChange | undefined } {
    const snapshot = this.rules.snapshotAfter(this.newest, header, contractValidators);
    return { snapshot, change: validatorChange(this.newest, snapshot) };
  }

  /** The block of the snapshot is the head now. */
  adopt(snapshot: ValidatorSnapshot): void {
    this.newest = snapshot;
  }
}
