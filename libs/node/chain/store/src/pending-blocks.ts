import type { Hash } from '@tetrad/types';
import { FlatOverlay, textOf } from './flat-overlay.js';
import type { BlockWrite, HashedBytes } from './ledger-rows.js';

/** Bytes of a row besides its content, about. */
const ROW_BYTES = 64;

/** Consecutive blocks that are not stored yet, and what can be read of them. */
export class PendingBlocks {
  readonly blocks: BlockWrite[] = [];
  readonly flat = new FlatOverlay();
  /** Bytes of all rows, about. */
  bytes = 0;
  /** The root of the flat state after the last block; undefined without one. */
  flatRoot: Hash | undefined;
  private readonly nodes = new Map<string, Uint8Array>();
  private readonly codes = new Map<string, Uint8Array>();
  private readonly preimages = new Map<string, Uint8Array>();

  add(write: BlockWrite): void {
    this.blocks.push(write);
    keep(this.nodes, write.nodes);
    keep(this.codes, write.codes);
    keep(this.preimages, write.preimages);
    if (write.flat !== undefined) {
      if (write.flat.parentRoot !== write.flat.stateRoot) this.flat.apply(write.flat);
      this.flatRoot = write.flat.stateRoot;
    }
    this.bytes += sizeOf(write);
  }

  findNode(hash: Uint8Array): Uint8Array | undefined {
    return this.nodes.get(textOf(hash));
  }

  findCode(hash: Uint8Array): Uint8Array | undefined {
    return this.codes.get(textOf(hash));
  }

  findPreimage(hash: Uint8Array): Uint8Array | undefined {
    return this.preimages.get(textOf(hash));
  }

  findBlock(number: number): BlockWrite | undefined {
    const first = this.blocks[0]?.block.number;
    return first === undefined ? undefined : this.blocks[number - first];
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
