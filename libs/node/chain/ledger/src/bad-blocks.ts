import { encodeBlock } from '@tetrad/node-block';
import type { Block } from '@tetrad/types';

/** A block that broke a rule, although its header was valid. */
export interface BadBlock {
  readonly block: Block;
  readonly reason: string;
}

/** As many as geth keeps. */
const MAX_BLOCKS = 10;
const MAX_BYTES = 16 * 1024 * 1024;

/** The last blocks that were refused although their header was valid: forks, or disagreeing validators. */
export class BadBlocks {
  private readonly kept: (BadBlock & { readonly bytes: number })[] = [];

  note(block: Block, reason: string): void {
    if (this.kept.some(({ block: { hash } }) => hash === block.hash)) return;
    this.kept.push({ block, reason, bytes: encodeBlock(block).length });
    while (this.kept.length > MAX_BLOCKS || this.bytes() > MAX_BYTES) this.kept.shift();
  }

  /** Newest first. */
  list(): readonly BadBlock[] {
    return [...this.kept].reverse();
  }

  private bytes(): number {
    return this.kept.reduce((sum, { bytes }) => sum + bytes, 0);
  }
}
