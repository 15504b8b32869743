import type { Hash } from '@tetrad/types';
import { FlatOverlay, textOf } from './flat-overlay.js';
import type { BlockWrite, HashedBytes } from './ledger-rows.js';

/** Bytes of a row besides its content, about. */
const ROW_BYTES = 64;

/**
 * Consecutive blocks that are not stored yet, and what can be read of them.
 *
 * Most of what later blocks read is in the caches of the state; rows are ordered by key only when one is looked for.
 */
export class PendingBlocks {
  readonly blocks: BlockWrite[] = [];
  /** Bytes of all rows, about. */
  bytes = 0;
  /** The root of the flat state after the last block; undefined without one. */
  flatRoot: Hash | undefined;
  /** How many of the blocks are in the maps below. */
  private ordered = 0;
  private readonly flat = new FlatOverlay();
  private readonly nodes = new Map<string, Uint8Array>();
  private readonly codes = new Map<string, Uint8Array>();
  private readonly preimages = new Map<string, Uint8Array>();

  add(write: BlockWrite): void {
    this.blocks.push(write);
    this.flatRoot = write.flat?.stateRoot ?? this.flatRoot;
    this.bytes += sizeOf(write);
  }

  findNode(hash: Uint8Array): Uint8Array | undefined {
    this.order();
    return this.nodes.get(textOf(hash));
  }

  findCode(hash: Uint8Array): Uint8Array | undefined {
    this.order();
    return this.codes.get(textOf(hash));
  }

  findPreimage(hash: Uint8Array): Uint8Array | undefined {
    this.order();
    return this.preimages.get(textOf(hash));
  }

  /** null: the key was removed; undefined: it was not changed. */
  findFlat(key: Uint8Array): Uint8Array | null | undefined {
    this.order();
    return this.flat.find(key);
  }

  findBlock(number: number): BlockWrite | undefined {
    const first = this.blocks[0]?.block.number;
    return first === undefined ? undefined : this.blocks[number - first];
  }

  private order(): void {
    for (; this.ordered < this.blocks.length; this.ordered++) {
      const write = this.blocks[this.ordered] as BlockWrite;
      keep(this.nodes, write.nodes);
      keep(this.codes, write.codes);
      keep(this.preimages, write.preimages);
      if (write.flat !== undefined && write.flat.parentRoot !== write.flat.stateRoot)
        this.flat.apply(write.flat);
    }
  }
}

function keep(known: Map<string, Uint8Array>, rows: readonly HashedBytes[]): void {
  for (const { hash, bytes } of rows) known.set(textOf(hash), bytes);
}

function sizeOf({ block, transactions, logs, nodes, codes, preimages }: BlockWrite): number {
  let size = block.header.length;
  for (const { raw } of transactions) size += ROW_BYTES + raw.length;
  for (const { data } of logs) size += ROW_BYTES + data.length;
  for (const rows of [nodes, codes, preimages])
    for (const { bytes } of rows) size += ROW_BYTES + bytes.length;
  return size;
}
