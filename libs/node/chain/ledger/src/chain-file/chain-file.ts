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
  private contentBytes = 0;
  private doneBytes = 0;

  private constructor(
    /** The path as the operator gave it. */
    readonly path: string,
    /** On the disk. */
    readonly size: number,
    readonly isCompressed: boolean,
  ) {}

  /** @throws ChainFileError when it is not a file, or empty; the system's error when it cannot be read */
  static async find(path: string): Promise<ChainFile> {
    const found = await stat(path);
    if (!found.isFile()) throw new ChainFileError(`${path}: is not a file`);
    if (found.size === 0) throw new ChainFileError(`${path}: is empty`);
    const first = await firstBytes(path);
    return new ChainFile(path, found.size, first[0] === GZIP_MAGIC[0] && first[1] === GZIP_MAGIC[1]);
  }

  /** Bytes of the disk that were read and, when compressed, decompressed. */
  get bytesRead(): number {
    return this.readBytes;
  }

  /** Bytes of the disk whose content is worked on; an estimate within what is decompressed ahead. */
  get bytesDone(): number {
    const share = this.contentBytes === 0 ? 0 : this.doneBytes / this.contentBytes;
    return Math.floor(this.readBytes * share);
  }

  /** Records that the content before the byte is worked on. */
  markDone(contentByte: number): void {
    this.doneBytes = contentByte;
  }

  /**
   * The content, decompressed, in pieces of bounded size.
   * @throws ChainFileError when it is damaged
   */
  async *content(): AsyncGenerator<Uint8Array, void, undefined> {
    [this.readBytes, this.contentBytes, this.doneBytes] = [0, 0, 0];
    const source = createReadStream(this.path, { highWaterMark: READ_BYTES });
    try {
      for await (const chunk of this.isCompressed ? this.decompress(source) : this.plain(source)) {
        this.contentBytes += chunk.length;
        yield chunk;
      }
    } finally {
      source.destroy();
    }
  }

  private async *plain(source: Readable): AsyncGenerator<Uint8Array, void, undefined> {
    for await (const chunk of source as AsyncIterable<Uint8Array>) {
      this.readBytes += chunk.length;
      yield chunk;
    }
  }

  private async *decompress(source: Readable): AsyncGenerator<Uint8Array, void, undefined> {
    const { path, size } = this;
    const gunzip = createGunzip({ chunkSize: READ_BYTES });
    source.on('error', (error) => gunzip.destroy(error));
    try {
      for await (const chunk of source.pipe(gunzip) as AsyncIterable<Uint8Array>) {
        this.readBytes = gunzip.bytesWritten;
        yield chunk;
      }
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      if (code?.startsWith('Z_') !== true) throw error;
      throw new ChainFileError(`${path}: is damaged: gzip: ${message}`);
    } finally {
      gunzip.destroy();
    }
    this.readBytes = gunzip.bytesWritten;
    // Node ignores what follows zeros at the end of the compressed data.
    if (gunzip.bytesWritten !== size)
      throw new ChainFileError(
        `${path}: holds ${size - gunzip.bytesWritten} bytes after its compressed content`,
      );
  }
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
