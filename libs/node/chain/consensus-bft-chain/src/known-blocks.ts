import type { ExecutedBlock } from '@tetrad/node-ledger';
import { keepNewest, type Block, type Hash } from '@tetrad/types';

/** A block of the height being decided, with its execution result. */
export interface KnownBlock {
  readonly block: Block;
  readonly executed: ExecutedBlock;
  /** When it was built or received; milliseconds since the epoch. */
  readonly seenMs: number;
}

/** More than one valid block of a height is rare; a faulty proposer must not make this grow. */
const MAX_KNOWN = 4;

/** Blocks that were built or validated on top of the head, so that none is executed twice. */
export class KnownBlocks {
  private readonly blocks = new Map<Hash, KnownBlock>();

  find(hash: Hash): KnownBlock | undefined {
    return this.blocks.get(hash);
  }

  add(known: KnownBlock): void {
    this.blocks.set(known.block.hash, known);
    keepNewest(this.blocks, MAX_KNOWN);
  }

  /** The head moved; none of them follows it. */
  clear(): void {
    this.blocks.clear();
  }
}
