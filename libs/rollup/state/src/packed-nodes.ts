import { WORD_BYTES, decodeWord, encodeWord } from '@tetrad/rollup-crypto';
import type { NodeReader, NodeWrite } from './merkle-tree.js';

const FIRST_CAPACITY = 64;

/**
 * Nodes of a tree whose leaves are given in sequence, 32 bytes each: for a million leaves 64 MB, where a map of them would
 * take ten times as much.
 */
export class PackedNodes {
  private readonly levels: { bytes: Uint8Array; length: number }[] = [];

  /** Undefined at positions that were never written. */
  readonly read: NodeReader = (level, index) => {
    const nodes = this.levels[level];
    return nodes === undefined || index >= nodes.length
      ? undefined
      : decodeWord(nodes.bytes, WORD_BYTES * index);
  };

  /** @throws RangeError for a node beyond the next one of its level, which would leave a gap */
  write(writes: readonly NodeWrite[]): void {
    for (const { level, index, hash } of [...writes].sort((a, b) => a.level - b.level || a.index - b.index)) {
      const nodes = (this.levels[level] ??= {
        bytes: new Uint8Array(WORD_BYTES * FIRST_CAPACITY),
        length: 0,
      });
      if (index > nodes.length) throw new RangeError(`node ${index} of level ${level} leaves a gap`);
      if (WORD_BYTES * index === nodes.bytes.length) nodes.bytes = doubled(nodes.bytes);
      nodes.bytes.set(encodeWord(hash), WORD_BYTES * index);
      nodes.length = Math.max(nodes.length, index + 1);
    }
  }
}

function doubled(bytes: Uint8Array): Uint8Array {
  const larger = new Uint8Array(2 * bytes.length);
  larger.set(bytes);
  return larger;
}
