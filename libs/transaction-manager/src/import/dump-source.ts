import { createReadStream } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { createGunzip } from 'node:zlib';
import { detectDialect, type Dialect } from './dump/dialect.js';
import { DumpEnds } from './dump/dump-ends.js';
import { readDump } from './dump/read-dump.js';
import { ImportRefusedError } from './import-refused-error.js';
import { TESSERA_TABLES, recordOf, type TesseraRecord } from './tessera-tables.js';

/** Bytes that are read at a time, and those by which the dialect is recognized. */
const CHUNK_BYTES = 256 * 1_024;
const HEAD_BYTES = 64 * 1_024;

/**
 * The records in a SQL dump of a Tessera's database, compressed with gzip or not, in their order. The file is read anew each
 * time.
 * @param dialect - recognized without it
 * @throws ImportRefusedError that names the file, and the row or byte
 */
export async function* dumpRecords(path: string, dialect?: Dialect): AsyncGenerator<TesseraRecord> {
  try {
    const chunks = new DumpEnds(chunksOf(path, await isGzip(path)));
    const known = dialect ?? (await dialectOf(path));
    const rows = readDump(chunks.all(), { dialect: known, wanted: TESSERA_TABLES });
    for await (const row of rows) yield recordOf(row);
    chunks.assertComplete();
  } catch (error) {
    throw asRefusal(path, error);
  }
}

async function dialectOf(path: string): Promise<Dialect> {
  const head: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of chunksOf(path, await isGzip(path))) {
    head.push(chunk);
    size += chunk.length;
    if (size >= HEAD_BYTES) break;
  }
  const dialect = detectDialect(Buffer.concat(head).subarray(0, HEAD_BYTES));
  if (dialect !== undefined) return dialect;
  throw new ImportRefusedError('nothing shows which database wrote it: give --dialect');
}

async function* chunksOf(path: string, isCompressed: boolean): AsyncGenerator<Uint8Array> {
  const file = createReadStream(path, { highWaterMark: CHUNK_BYTES });
  if (!isCompressed) return yield* file as AsyncIterable<Uint8Array>;
  const unzipped = createGunzip();
  file.on('error', (error) => unzipped.destroy(error));
  try {
    yield* file.pipe(unzipped) as AsyncIterable<Uint8Array>;
  } finally {
    file.destroy();
  }
}

/** @throws ImportRefusedError when it is no file, or is written in UTF-16, which no database program does by itself */
async function isGzip(path: string): Promise<boolean> {
  // Before it is opened: opening a pipe without a writer never ends, and a device has no end.
  if (!(await stat(path)).isFile()) throw new ImportRefusedError('is not a regular file');
  const file = await open(path);
  try {
    const { bytesRead, buffer } = await file.read(Buffer.alloc(2), 0, 2, 0);
    const isWide = (buffer[0] === 0xff && buffer[1] === 0xfe) || (buffer[0] === 0xfe && buffer[1] === 0xff);
    if (bytesRead === 2 && isWide)
      throw new ImportRefusedError(
        'is written in UTF-16, as PowerShell does with >: write the dump in UTF-8',
      );
    return bytesRead === 2 && buffer[0] === 0x1f && buffer[1] === 0x8b;
  } finally {
    await file.close();
  }
}

/** Of faults of the file; others are thrown as they are. */
function asRefusal(path: string, error: unknown): unknown {
  const { code, message } = error as NodeJS.ErrnoException;
  const isFileFault = typeof code === 'string' && /^(E[A-Z]+|Z_[A-Z_]+)$/.test(code);
  return error instanceof ImportRefusedError || isFileFault
    ? new ImportRefusedError(`${path}: ${message}`)
    : error;
}
