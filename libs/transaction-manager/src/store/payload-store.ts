import { CommitGroup, LookupGroup, asBuffer, type Database } from '@tetrad/db';
import type pg from 'pg';

/** A payload as it is kept. */
export interface PayloadRow {
  /** 64 bytes. */
  readonly hash: Uint8Array;
  /** See `encodeBinaryPayload`. */
  readonly encoded: Uint8Array;
  /** 32 bytes each: the keys that the payload has boxes for, and its sender. */
  readonly recipients: readonly Uint8Array[];
}

/** A row as it is read in pages. */
export interface PayloadPageRow {
  readonly sequence: number;
  readonly encoded: Uint8Array;
}

type Queries = Pick<pg.ClientBase | pg.Pool, 'query'>;

/** Bytes of payloads that one statement writes, unless one payload is larger. */
const GROUP_BYTES = 16 * 1_048_576;

/** Bytes of payloads in a page, unless the first one is larger. */
const PAGE_BYTES = 4 * 1_048_576;

/** Statements that read payloads at a time. */
const READS = 2;

/** Rows of payloads. */
export class PayloadStore {
  private readonly additions: CommitGroup<PayloadRow, boolean>;
  private readonly lookups: LookupGroup<{ hash: Buffer; encoded: Buffer }>;

  constructor(private readonly database: Database) {
    this.additions = new CommitGroup((rows) => insertAll(database.pool, rows), {
      bytes: { of: ({ encoded }) => encoded.length, group: GROUP_BYTES },
    });
    this.lookups = new LookupGroup({
      statements: READS,
      start: setImmediate,
      read: (hashes) => readAll(database.pool, hashes),
      keyOf: ({ hash }) => hash,
    });
  }

  /** Stores the payload unless there is one of its hash. Out: whether it was stored, durably */
  add(row: PayloadRow): Promise<boolean> {
    return this.additions.add(row);
  }

  /** The encoding; undefined when the payload is not stored. */
  async find(hash: Uint8Array): Promise<Uint8Array | undefined> {
    return (await this.lookups.find(hash))?.encoded;
  }

  /**
   * Changes a stored payload under a row lock. In: change — returns the new row, or undefined to keep the stored one
   *
   * Out: whether the payload is stored
   */
  change(hash: Uint8Array, change: (encoded: Uint8Array) => PayloadRow | undefined): Promise<boolean> {
    return this.database.transaction(async (client) => {
      const { rows } = await client.query<{ encoded: Buffer }>({
        name: 'lock-payload',
        text: 'SELECT encoded FROM payload WHERE hash = $1 FOR UPDATE',
        values: [asBuffer(hash)],
      });
      const [row] = rows;
      if (row === undefined) return false;
      const changed = change(row.encoded);
      if (changed !== undefined) await update(client, changed);
      return true;
    });
  }

  /** Forgets the payload. Out: whether there was one */
  async delete(hash: Uint8Array): Promise<boolean> {
    const { rowCount } = await this.database.pool.query('DELETE FROM payload WHERE hash = $1', [
      asBuffer(hash),
    ]);
    return rowCount === 1;
  }

  /**
   * Payloads that the key sent or has a box of, in the order they came; fewer than asked for where they are large.
   *
   * In: after — sequence of the last one that was read
   * Out: nothing when there are no more
   */
  async page(key: Uint8Array, after: number, limit: number): Promise<PayloadPageRow[]> {
    const { rows } = await this.database.pool.query<PayloadPageRow>({
      name: 'page-payloads',
      text: `SELECT sequence, encoded FROM (
               SELECT sequence, encoded, sum(length(encoded)) OVER (ORDER BY sequence) AS total
                 FROM payload JOIN payload_recipient USING (sequence)
                WHERE key = $1 AND sequence > $2 ORDER BY sequence LIMIT $3) AS page
              WHERE total <= $4 OR total = length(encoded) ORDER BY sequence`,
      values: [asBuffer(key), after, limit, PAGE_BYTES],
    });
    return rows;
  }
}

async function insertAll(queries: Queries, rows: readonly PayloadRow[]): Promise<boolean[]> {
  // Of several with one hash the first is stored, as it would be had they come one by one.
  const first = new Map<string, PayloadRow>();
  for (const row of rows) if (!first.has(nameOf(row.hash))) first.set(nameOf(row.hash), row);
  const stored = await insertDistinct(queries, [...first.values()]);
  return rows.map((row) => first.get(nameOf(row.hash)) === row && stored.has(nameOf(row.hash)));
}

async function insertDistinct(queries: Queries, rows: readonly PayloadRow[]): Promise<Set<string>> {
  const recipients = rows.flatMap(({ hash, recipients }) => recipients.map((key) => ({ hash, key })));
  const { rows: inserted } = await queries.query<{ hash: Buffer }>({
    name: 'insert-payloads',
    text: `WITH inserted AS (
             INSERT INTO payload (hash, encoded)
             SELECT * FROM unnest($1::bytea[], $2::bytea[]) ON CONFLICT (hash) DO NOTHING RETURNING hash, sequence),
           recipients AS (
             INSERT INTO payload_recipient (key, sequence)
             SELECT DISTINCT key, sequence FROM unnest($3::bytea[], $4::bytea[]) AS recipient (hash, key)
               JOIN inserted USING (hash))
           SELECT hash FROM inserted`,
    values: [
      rows.map(({ hash }) => asBuffer(hash)),
      rows.map(({ encoded }) => asBuffer(encoded)),
      recipients.map(({ hash }) => asBuffer(hash)),
      recipients.map(({ key }) => asBuffer(key)),
    ],
  });
  return new Set(inserted.map(({ hash }) => nameOf(hash)));
}

async function update(client: Queries, { hash, encoded, recipients }: PayloadRow): Promise<void> {
  await client.query({
    name: 'update-payload',
    text: `WITH changed AS (UPDATE payload SET encoded = $2 WHERE hash = $1 RETURNING sequence)
           INSERT INTO payload_recipient (key, sequence)
           SELECT DISTINCT key, sequence FROM changed, unnest($3::bytea[]) AS recipient (key) ON CONFLICT DO NOTHING`,
    values: [asBuffer(hash), asBuffer(encoded), recipients.map(asBuffer)],
  });
}

async function readAll(
  queries: Queries,
  hashes: readonly Buffer[],
): Promise<{ hash: Buffer; encoded: Buffer }[]> {
  const { rows } = await queries.query<{ hash: Buffer; encoded: Buffer }>({
    name: 'find-payloads',
    text: 'SELECT hash, encoded FROM payload WHERE hash = ANY($1::bytea[])',
    values: [hashes],
  });
  return rows;
}

function nameOf(hash: Uint8Array): string {
  return asBuffer(hash).toString('latin1');
}
