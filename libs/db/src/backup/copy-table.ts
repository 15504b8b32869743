import { createHash, type Hash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { OperatorError } from '@tetrad/types';
import type pg from 'pg';
import { from, to } from 'pg-copy-streams';
import { listColumns, type BackupTable } from './backup-table.js';
import { tableFile, type TableEntry } from './manifest.js';

/** Writes the rows of a table into a file of the folder, in PostgreSQL's binary COPY format. */
export async function dumpTable(
  client: pg.ClientBase,
  { name, where, values = {} }: BackupTable,
  folder: string,
): Promise<TableEntry> {
  const columns = await listColumns(client, name);
  const selected = columns.map((column) =>
    values[column] === undefined ? quote(column) : `${values[column]} AS ${quote(column)}`,
  );
  const condition = where === undefined ? '' : ` WHERE ${where}`;
  const rows = client.query(
    to(`COPY (SELECT ${selected.join(', ')} FROM ${quote(name)}${condition}) TO STDOUT (FORMAT binary)`),
  );
  const counter = new Counter();
  const file = createWriteStream(join(folder, tableFile(name)), { flags: 'wx', mode: 0o600, flush: true });
  await pipeline(rows, (chunks: AsyncIterable<Buffer>) => counter.pass(chunks), file);
  return { name, columns, rows: rows.rowCount, ...counter.result() };
}

/** @throws OperatorError when the file of the table is missing or not as it was written */
export async function verifyTable(entry: TableEntry, folder: string): Promise<void> {
  const path = join(folder, tableFile(entry.name));
  try {
    await assertFile(path, entry);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') throw new OperatorError(`${path}: is missing`);
    throw error;
  }
}

/**
 * Copies the rows of a backup file into their table, or into another one with its columns. A damaged file is detected only at its end, so the
 * transaction of the client must not be committed when this fails.
 * @throws OperatorError when the file is not as it was written
 */
export async function loadTable(
  client: pg.ClientBase,
  entry: TableEntry,
  { folder, into = entry.name }: { readonly folder: string; readonly into?: string },
): Promise<void> {
  const { name, columns } = entry;
  const path = join(folder, tableFile(name));
  const table = client.query(
    from(`COPY ${quote(into)} (${columns.map(quote).join(', ')}) FROM STDIN (FORMAT binary)`),
  );
  const counter = new Counter();
  const check = async function* (chunks: AsyncIterable<Buffer>) {
    yield* counter.pass(chunks);
    assertWritten(path, entry, counter);
  };
  try {
    await pipeline(createReadStream(path), check, table);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') throw new OperatorError(`${path}: is missing`);
    // PostgreSQL may have failed on bytes before the end that are not a row: the damaged file is the cause then.
    await assertFile(path, entry);
    throw error;
  }
  if (table.rowCount !== entry.rows)
    throw new OperatorError(`${path}: has ${table.rowCount} rows, not ${entry.rows}`);
}

async function assertFile(path: string, entry: TableEntry): Promise<void> {
  const counter = new Counter();
  for await (const chunk of counter.pass(createReadStream(path))) void chunk;
  assertWritten(path, entry, counter);
}

function assertWritten(path: string, entry: TableEntry, counter: Counter): void {
  const { bytes, sha256 } = counter.result();
  if (bytes !== entry.bytes || sha256 !== entry.sha256)
    throw new OperatorError(`${path}: is not as it was written: ${bytes} bytes, sha256 ${sha256}`);
}

/** Counts and hashes the bytes of a stream. */
class Counter {
  private readonly hash: Hash = createHash('sha256');
  private bytes = 0;

  async *pass(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const chunk of chunks) {
      this.hash.update(chunk);
      this.bytes += chunk.length;
      yield chunk;
    }
  }

  result(): Pick<TableEntry, 'bytes' | 'sha256'> {
    return { bytes: this.bytes, sha256: this.hash.copy().digest('hex') };
  }
}

export function quote(identifier: string): string {
  return `"${identifier.replaceAll('"', '""')}"`;
}
