import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
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
 *
 * In: dialect — recognized without it
 * Fails: ImportRefusedError that names the file, and the row or byte
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

async function isGzip(path: string): Promise<boolean> {
  const file = await open(path);
  try {
    const { bytesRead, buffer } = await file.read(Buffer.alloc(2), 0, 2, 0);
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
