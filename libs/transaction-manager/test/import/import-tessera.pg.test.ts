import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { connectDatabase, createDatabase, type Database } from '@tetrad/db';
import { createTestDatabase, type TestDatabase } from '@tetrad/testkit';
import { silentLogger } from '@tetrad/types';
import {
  importTessera,
  type TesseraImport,
  type TesseraImportResult,
  type TesseraSource,
} from '../../src/import/import-tessera.js';
import { Enclave } from '../../src/enclave/enclave.js';
import { dumpRecords } from '../../src/import/dump-source.js';
import { importRecords } from '../../src/import/import-records.js';
import { KeyRing } from '../../src/keys/key-ring.js';
import { openManagerStore, type ManagerStore } from '../../src/store/open-manager-store.js';
import { payloadHash } from '../../src/payload/encoded-payload.js';
import { recorded, recordedPairs } from '../recorded.js';
import { startManager } from '../running-managers.js';
import { h2Dump, mysqlDump, postgresDump, recordedTables, sqliteDump, type Table } from './tessera-dumps.js';

const tables = recordedTables();
const all = recorded.senderRecords.length;
const raws = recorded.storeraw.length;
const counts = (stored: 'stored' | 'known') => {
  const of = (count: number) => ({ stored: 0, known: 0, [stored]: count });
  return { payloads: of(all), rawPayloads: of(raws), groups: of(1) };
};

let folder: string;
let testDatabase: TestDatabase;
let database: Database;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tetrad-import-'));
  testDatabase = await createTestDatabase('transaction-manager');
  database = await connectDatabase({ url: testDatabase.url, poolSize: 4 });
});
afterAll(async () => {
  await database.close();
  await testDatabase.drop();
  await rm(folder, { recursive: true, force: true });
});
beforeEach(() => database.pool.query('TRUNCATE payload, payload_recipient, raw_payload, privacy_group'));

function importFrom(source: TesseraSource, more: Partial<TesseraImport> = {}): Promise<TesseraImportResult> {
  const keys = recordedPairs('a1', 'a2');
  return importTessera({ source, database, keys, logger: silentLogger, dryRun: false, ...more });
}

async function dumpFile(dump: string | Uint8Array): Promise<{ dump: string }> {
  const file = join(folder, 'tessera.sql');
  await writeFile(file, dump);
  return { dump: file };
}

async function storedRows(): Promise<readonly unknown[]> {
  const { rows } = await database.pool.query(
    `SELECT (SELECT count(*) FROM payload) AS payloads, (SELECT count(*) FROM raw_payload) AS raws,
            (SELECT count(*) FROM privacy_group) AS groups`,
  );
  return Object.values(rows[0] as object);
}

/** Tables with one value replaced. */
function withValue(
  table: string,
  row: number,
  column: string,
  value: (old: Buffer) => Buffer | string,
): Table[] {
  return tables.map((one) => {
    if (one.name !== table) return one;
    const at = one.columns.indexOf(column);
    const rows = one.rows.map((values, index) =>
      index === row - 1
        ? values.map((old, place) =>
            place === at ? value(Buffer.from((old as Uint8Array | null) ?? [])) : old,
          )
        : values,
    );
    return { ...one, rows };
  });
}

function flipped(bytes: Buffer, at = 0): Buffer {
  const copy = Buffer.from(bytes);
  copy[at] = (copy[at] ?? 0) ^ 1;
  return copy;
}

describe('what a Tessera stored', () => {
  it.each([
    ['pg_dump', postgresDump(tables)],
    ['mysqldump', mysqlDump(tables)],
    ['SCRIPT of H2', h2Dump(tables, 100)],
    ['.dump of SQLite', sqliteDump(tables)],
    ['a compressed dump', gzipSync(postgresDump(tables, 'inserts'))],
  ])('is stored from %s, once', async (_, dump) => {
    const source = await dumpFile(dump);
    expect(await importFrom(source)).toMatchObject({ ...counts('stored'), foreign: 0 });
    expect(await storedRows()).toEqual([all, raws, 1]);
    expect(await importFrom(source)).toMatchObject({ ...counts('known'), foreign: 0 });
    const { rows } = await database.pool.query<{ hash: Buffer; encoded: Buffer }>('SELECT * FROM payload');
    const stored = rows.map(({ hash, encoded }) => [hash.toString('base64'), encoded.toString('hex')]);
    expect(stored.sort()).toEqual(
      recorded.senderRecords.map(({ hash, encodedPayload }) => [hash, encodedPayload]).sort(),
    );
  });

  it('is stored from its PostgreSQL database, page by page, and rows are numbered', async () => {
    const url = await createDatabase(testDatabase.url, `tessera_${process.pid}`);
    const tessera = await connectDatabase({ url, poolSize: 1 });
    try {
      await fill(tessera);
      await fillRaw(tessera, 1_001);
      expect(await importFrom({ databaseUrl: url })).toMatchObject({ ...counts('stored'), foreign: 1_001 });
      expect(await storedRows()).toEqual([all, raws, 1]);
      await tessera.pool.query("UPDATE encrypted_transaction SET payload_codec = 'XML'");
      await expect(importFrom({ databaseUrl: url })).rejects.toThrow(
        'row 1 of encrypted_transaction: payload_codec: XML is not LEGACY or CBOR',
      );
      await tessera.pool.query('DROP TABLE encrypted_transaction');
      await expect(importFrom({ databaseUrl: url })).rejects.toThrow('has no table encrypted_transaction');
    } finally {
      await tessera.close();
    }
  });

  it('is read by the manager after the import', async () => {
    const manager = await startManager(['a1', 'a2']);
    try {
      await importFrom(await dumpFile(mysqlDump(tables)), { database: manager.database });
      for (const { hash, plaintext } of recorded.storeraw)
        expect(
          Buffer.from((await manager.manager.receiveRaw(Buffer.from(hash, 'base64'))).plaintext).toString(
            'hex',
          ),
        ).toBe(plaintext);
      const pushed = recorded.pushes.filter(({ decoded }) => decoded.sender.startsWith('a'));
      const kept = pushed.filter(({ hash }) => recorded.senderRecords.some((record) => record.hash === hash));
      expect(kept.length).toBeGreaterThan(5);
      for (const { hash, decoded } of kept) {
        const { plaintext, privacyFlag } = await manager.manager.receive(Buffer.from(hash, 'base64'));
        expect(Buffer.from(plaintext).toString('hex')).toBe(decoded.plaintext);
        expect(privacyFlag).toBe(decoded.privacyFlag);
      }
    } finally {
      await manager.end();
    }
  });

  it('is completed by a second import after one that ended in the middle', async () => {
    const source = await dumpFile(postgresDump(tables));
    async function* half() {
      let left = 5;
      for await (const record of dumpRecords(source.dump)) {
        if ((left -= 1) < 0) throw new Error('killed');
        yield record;
        // A batch for each record.
        if (left > 0) yield* Array.from({ length: 499 }, () => record);
      }
    }
    const ours = openManagerStore(database);
    await expect(importRecords(half(), partsOf(ours))).rejects.toThrow('killed');
    await ours.close();
    const [stored] = await storedRows();
    expect(stored).toBe(4);
    expect(await importFrom(source)).toMatchObject({ payloads: { stored: all - 4, known: 4 } });
  });

  it('that no key here reads is left out, and its keys are named', async () => {
    const keys = recordedPairs('c1');
    const outcome = await importFrom(await dumpFile(h2Dump(tables)), { keys });
    const forC1 = recorded.senderRecords.filter(({ recipientKeys }) => recipientKeys.includes('c1')).length;
    expect(outcome).toMatchObject({ payloads: { stored: forC1 }, foreign: all - forC1 + raws + 1 });
    expect(outcome).toMatchObject({ foreignKeys: { [recorded.keys['a1']!.public]: expect.any(Number) } });
  });

  it('that lacks the payload codec, as of older versions, is binary', async () => {
    const [, payloads] = tables;
    const rows = payloads!.rows
      .filter((_, index) => index % 2 === 0)
      .map(([hash, encoded]) => [hash!, encoded!]);
    const older = [{ ...payloads!, columns: ['hash', 'encoded_payload'], rows }];
    const outcome = await importFrom(await dumpFile(mysqlDump(older, 'hex-blob')));
    expect(outcome).toMatchObject({ payloads: { stored: rows.length } });
  });
});

describe('a record that is not what its name says', () => {
  const cases: [string, Table[]][] = [
    [
      'row 3 of encrypted_transaction: hash: does not belong to the data',
      withValue('encrypted_transaction', 3, 'hash', flipped),
    ],
    [
      'row 2 of encrypted_transaction: hash: has 63 bytes, not 64',
      withValue('encrypted_transaction', 2, 'hash', (hash) => hash.subarray(1)),
    ],
    [
      'row 1 of encrypted_transaction: encoded_payload: the length of sender is out of range',
      withValue('encrypted_transaction', 1, 'encoded_payload', flipped),
    ],
    [
      'row 1 of encrypted_transaction: payload_codec: JSON is not LEGACY or CBOR',
      withValue('encrypted_transaction', 1, 'payload_codec', () => 'JSON'),
    ],
    [
      'row 1 of encrypted_transaction: encoded_payload: ',
      withValue('encrypted_transaction', 1, 'payload_codec', () => 'CBOR'),
    ],
    [
      'row 2 of encrypted_raw_transaction: nonce: has 23 bytes, not 24',
      withValue('encrypted_raw_transaction', 2, 'nonce', (nonce) => nonce.subarray(1)),
    ],
    ['row 1 of privacy_group: id: does not belong', withValue('privacy_group', 1, 'id', flipped)],
    ['row 1 of privacy_group: lookup_id: does not', withValue('privacy_group', 1, 'lookup_id', flipped)],
    [
      'row 1 of privacy_group: data: the length of member is out of range',
      withValue('privacy_group', 1, 'data', (data) => data.fill(255, 40)),
    ],
  ];

  it.each(cases)('is refused, and nothing is stored: %s', async (text, damaged) => {
    await expect(importFrom(await dumpFile(postgresDump(damaged)))).rejects.toThrow(text);
    expect(await storedRows()).toEqual([0, 0, 0]);
  });

  it('is refused where its key does not open it', async () => {
    const damaged = withValue('encrypted_raw_transaction', 1, 'encrypted_key', flipped);
    await expect(importFrom(await dumpFile(h2Dump(damaged)))).rejects.toThrow(
      'row 1 of encrypted_raw_transaction: encrypted_key: the key of sender',
    );
  });

  it('is refused where the payload of its name is another one', async () => {
    await importFrom(await dumpFile(h2Dump(tables)));
    await database.pool.query(
      'UPDATE payload SET encoded = set_byte(encoded, 85, get_byte(encoded, 85) # 1)',
    );
    await expect(importFrom(await dumpFile(h2Dump(tables)))).rejects.toThrow(
      'hash: another payload of this name',
    );
  });

  it.each([
    ['nothing shows which database wrote it', 'SELECT 1;'],
    ['no rows of encrypted_transaction', 'PRAGMA foreign_keys=OFF;'],
    [
      'ends early: it has no line "-- PostgreSQL database dump complete"',
      cutOff(postgresDump(tables, 'inserts')),
    ],
    ['ends early: it has no line "-- Dump completed"', cutOff(mysqlDump(tables, 'hex-blob').toString())],
  ])('is missing: %s', async (text, dump) => {
    await expect(importFrom(await dumpFile(dump))).rejects.toThrow(text);
    await expect(importFrom({ dump: join(folder, 'absent.sql') })).rejects.toThrow('absent.sql: ENOENT');
  });
});

describe('payloads of a running manager', () => {
  it('are fetched by their hashes, but for those with flags, and those it does not have', async () => {
    const old = await startManager(['a1', 'a2']);
    try {
      await importFrom(await dumpFile(mysqlDump(tables)), { database: old.database });
      const hashes = recorded.senderRecords.map(({ hash }) => hash);
      const hashesFile = join(folder, 'hashes');
      const hex = Buffer.from(hashes[0]!, 'base64').toString('hex');
      await writeFile(hashesFile, [`0x${hex}`, ...hashes.slice(1), '', 'A'.repeat(86) + '=='].join('\n'));
      const plain = recorded.senderRecords.filter(({ privacyFlag }) => privacyFlag === 0).length;
      const outcome = await importFrom({ managerUrl: old.peerUrl, hashesFile });
      expect(outcome).toMatchObject({
        payloads: { stored: plain, known: 0 },
        flagged: all - plain,
        missing: 1,
      });
      expect(outcome).toMatchObject({ missingHashes: ['A'.repeat(86) + '=='] });
      await writeFile(hashesFile, `${hashes[0]}\nAAAA\n`);
      await expect(importFrom({ managerUrl: old.peerUrl, hashesFile })).rejects.toThrow(
        'line 2: is not a hash',
      );
    } finally {
      await old.end();
    }
    const hashesFile = join(folder, 'hashes');
    await expect(importFrom({ managerUrl: old.peerUrl, hashesFile })).rejects.toThrow('does not answer');
  });
});

function partsOf({ payloads: store, raws, groups }: ManagerStore) {
  const enclave = new Enclave(new KeyRing(recordedPairs('a1', 'a2')));
  return { enclave, logger: silentLogger, store, raws, groups };
}

/** A dump that ends before its last table. */
function cutOff(dump: string): string {
  return dump.slice(0, dump.search(/CREATE TABLE \S*privacy_group/i));
}

/** Makes the tables of a Tessera in its database, with the recorded rows. */
async function fill({ pool }: Database): Promise<void> {
  for (const { name, columns, rows } of tables) {
    const types = columns.map((column) => {
      if (column === 'timestamp') return '"timestamp" DECIMAL(19)';
      return `${column} ${['payload_codec', 'note'].includes(column) ? 'VARCHAR(50)' : 'BYTEA NOT NULL'}`;
    });
    await pool.query(`CREATE TABLE ${name} (${types.join(', ')})`);
    const places = columns.map((_, index) => `$${index + 1}`).join(', ');
    for (const row of rows) await pool.query(`INSERT INTO ${name} VALUES (${places})`, [...row]);
  }
}

/** Adds raw payloads of another key, so many. */
async function fillRaw({ pool }: Database, count: number): Promise<void> {
  const texts = Array.from({ length: count }, (_, index) => Buffer.from(`payload ${index}`));
  await pool.query(
    `INSERT INTO encrypted_raw_transaction (hash, encrypted_payload, encrypted_key, nonce, sender)
     SELECT hash, text, $3, $4, $5 FROM unnest($1::bytea[], $2::bytea[]) AS payload (hash, text)`,
    [
      texts.map((cipherText) => Buffer.from(payloadHash({ cipherText }))),
      texts,
      Buffer.alloc(48),
      Buffer.alloc(24),
      Buffer.from(recorded.keys['c1']!.public, 'base64'),
    ],
  );
}
