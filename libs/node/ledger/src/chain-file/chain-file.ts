import { createReadStream } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { ChainFileError } from './chain-file-error.js';

/** The first bytes of gzip. Source: RFC 1952, section 2.3.1 */
const GZIP_MAGIC = [0x1f, 0x8b] as const;
const READ_BYTES = 256 * 1024;

/** A file with blocks, compressed or not. */
export class ChainFile {
  private readBytes = 0;

  private constructor(
    /** The path as the operator gave it. */
    readonly path: string,
    /** On the disk. */
    readonly size: number,
    readonly isCompressed: boolean,
  ) {}

  /** Fails: ChainFileError when it is not a file, or empty; the system's error when it cannot be read */
  static async find(path: string): Promise<ChainFile> {
    const found = await stat(path);
    if (!found.isFile()) throw new ChainFileError(`${path}: is not a file`);
    if (found.size === 0) throw new ChainFileError(`${path}: is empty`);
    const first = await firstBytes(path);
    return new ChainFile(path, found.size, first[0] === GZIP_MAGIC[0] && first[1] === GZIP_MAGIC[1]);
  }

  /** Bytes of the disk that were read. */
  get bytesRead(): number {
    return this.readBytes;
  }

  /** The content, decompressed, in pieces of bounded size. Fails: ChainFileError when it is damaged */
  async *content(): AsyncGenerator<Uint8Array, void, undefined> {
    this.readBytes = 0;
    const source = createReadStream(this.path, { highWaterMark: READ_BYTES });
    source.on('data', (chunk) => (this.readBytes += chunk.length)).pause();
    try {
      if (this.isCompressed) yield* decompress(source, this);
      else yield* source;
    } finally {
      source.destroy();
    }
  }
}

async function* decompress(
  source: Readable,
  { path, size }: ChainFile,
): AsyncGenerator<Uint8Array, void, undefined> {
  const gunzip = createGunzip({ chunkSize: READ_BYTES });
  source.on('error', (error) => gunzip.destroy(error));
  try {
    yield* source.pipe(gunzip);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code?.startsWith('Z_') !== true) throw error;
    throw new ChainFileError(`${path}: is damaged: gzip: ${message}`);
  } finally {
    gunzip.destroy();
  }
  // Node ignores what follows zeros at the end of the compressed data.
  if (gunzip.bytesWritten !== size)
    throw new ChainFileError(
      `${path}: holds ${size - gunzip.bytesWritten} bytes after its compressed content`,
    );
}

async function firstBytes(path: string): Promise<Uint8Array> {
  const handle = await open(path, 'r');
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(GZIP_MAGIC.length), 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}
