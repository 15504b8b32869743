import {
  decodeBlockHeader,
  prepareBlock,
  type BlockDecoding,
  type MakeTransactions,
} from '@tetrad/node-block';
import type { Block, SealedHeader } from '@tetrad/types';
import type { ChainFile } from './chain-file.js';
import { splitBlocks, type EncodedBlock } from './split-blocks.js';

/** A block of a file whose header is read. */
export interface FileBlock extends EncodedBlock, SealedHeader {
  readonly kind: 'block';
  readonly file: ChainFile;
  readonly path: string;
  /** Whether it is the first one of its file. */
  readonly isFirst: boolean;
  /** The whole block; its senders are recovered ahead of its turn, and only when it is new. */
  decoded(): Promise<Block>;
}

/** The end of what can be read. */
export interface FileFault {
  readonly kind: 'fault';
  readonly path: string;
  /** Where the faulty block begins, when the fault is in a block. */
  readonly offset?: number;
  readonly error: unknown;
}

export type FileEntry = FileBlock | FileFault;

/** Blocks that are decoded while the first of them is executed: some thousand transactions keep all threads busy. */
const BLOCKS_AHEAD = 64;
const BYTES_AHEAD = 1024 * 1024;

/** Dependencies of decoding the blocks of files. */
export interface FileDecoding extends Pick<BlockDecoding, 'hashHeader'> {
  /** Reads transactions and recovers their senders, on other threads; resolves when these are known. */
  readonly decodeAll: (raws: readonly Uint8Array[]) => Promise<MakeTransactions>;
}

export interface DecodeAheadOptions extends FileDecoding {
  readonly files: readonly ChainFile[];
  /** Whether the block is stored already, so that its header is enough. */
  readonly isStored: (blockNumber: number) => boolean;
}

/**
 * The blocks of the files one after the other, each with the one after it. Their senders are recovered on other threads
 * meanwhile. A fault is the last entry, in its turn.
 */
export async function* decodeAhead(
  options: DecodeAheadOptions,
): AsyncGenerator<{ readonly entry: FileEntry; readonly next: FileEntry | undefined }, void, undefined> {
  const ahead: FileEntry[] = [];
  let bytes = 0;
  const source = readEntries(options);
  let isOver = false;
  try {
    for (;;) {
      // In bursts, so that a message to a thread holds the transactions of many blocks.
      const isLow = ahead.length < 2 || (ahead.length < BLOCKS_AHEAD / 2 && bytes < BYTES_AHEAD / 2);
      while (!isOver && isLow && (ahead.length < 2 || (ahead.length < BLOCKS_AHEAD && bytes < BYTES_AHEAD))) {
        const { done, value } = await source.next();
        isOver = done === true;
        if (value === undefined) continue;
        ahead.push(value);
        bytes += sizeOf(value);
      }
      const entry = ahead.shift();
      if (entry === undefined) return;
      bytes -= sizeOf(entry);
      yield { entry, next: ahead[0] };
    }
  } finally {
    await source.return(undefined);
  }
}

const sizeOf = (entry: FileEntry): number => (entry.kind === 'block' ? entry.bytes.length : 0);

async function* readEntries(options: DecodeAheadOptions): AsyncGenerator<FileEntry, undefined, undefined> {
  for (const file of options.files) {
    const { path } = file;
    let isFirst = true;
    try {
      for await (const encoded of splitBlocks(file.content(), path)) {
        const entry = readBlock(encoded, options, { file, path, isFirst });
        yield entry;
        if (entry.kind === 'fault') return undefined;
        isFirst = false;
      }
    } catch (error) {
      yield { kind: 'fault', path, error };
      return undefined;
    }
  }
  return undefined;
}

function readBlock(
  { bytes, offset }: EncodedBlock,
  options: DecodeAheadOptions,
  place: Pick<FileBlock, 'file' | 'path' | 'isFirst'>,
): FileEntry {
  let read: SealedHeader;
  try {
    const header = decodeBlockHeader(bytes);
    read = { header, hash: options.hashHeader(header) };
  } catch (error) {
    return { kind: 'fault', path: place.path, offset, error };
  }
  const prepare = () => prepareBlock(bytes, read, options.decodeAll);
  const early = options.isStored(read.header.number) ? undefined : prepare();
  // Its turn may never come.
  early?.catch(() => undefined);
  return {
    kind: 'block',
    ...place,
    bytes,
    offset,
    ...read,
    decoded: async () => (await (early ?? prepare()))(),
  };
}
