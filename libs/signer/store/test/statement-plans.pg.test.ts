import { readFileSync, readdirSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { connectDatabase, type Database } from '@tetrad/db';
import { SIGNER_DATABASE_SETTINGS } from '@tetrad/signer-store';
import { createTestDatabase, type TestDatabase } from '@tetrad/testkit';
import { scansOf } from './query-plan.js';
import { recordStatements } from './recorded-statements.js';
import { useEveryStatement } from './use-every-statement.js';

/** Tables that grow with use; `replica` and `audit_head` do not. */
const TABLES = [
  'nonce_sequence',
  'nonce_entry',
  'settled_nonce',
  'idempotency_key',
  'rate_window',
  'audit_entry',
];

/** Forty thousand rows of each kind, in two thousand nonce sequences. */
const FILL = `
  INSERT INTO nonce_sequence (chain_id, account, privacy_group, next_nonce)
    SELECT 1, int4send(i), '', 20 FROM generate_series(1, 2000) i;
  INSERT INTO nonce_entry (lane_id, nonce, state, owner, raw, hash, idempotency)
    SELECT id, nonce, 'accepted', gen_random_uuid(), '\\x01', '\\x02', sha256(int8send(id * 20 + nonce))
      FROM nonce_sequence, generate_series(0, 19) nonce WHERE chain_id = 1;
  INSERT INTO settled_nonce (lane_id, nonce, state, given, lost, raw, hash)
    SELECT lane_id, nonce, state, given, lost, raw, hash FROM nonce_entry WHERE raw IS NOT NULL ON CONFLICT DO NOTHING;
  INSERT INTO idempotency_key (digest, request, owner)
    SELECT idempotency, '\\x01', gen_random_uuid() FROM nonce_entry WHERE idempotency IS NOT NULL;
  INSERT INTO rate_window (bucket, minute, count) SELECT int4send(i), 1, 1 FROM generate_series(1, 40000) i`;
const EMPTY = TABLES.filter((table) => table !== 'audit_entry').map((table) => `DELETE FROM ${table}`);
const ANALYZE = `ANALYZE ${TABLES.join(', ')}`;

/** What the planner knows of the tables when they are full. */
const KNOWLEDGE = {
  nothing: [FILL],
  'that they are full': [FILL, ANALYZE],
  // As after a quiet night: a table that was analysed while empty seemed quickest to read whole (docs/adr/0024).
  'that they were empty once': [FILL, ...EMPTY, ANALYZE, FILL],
} as const;

/** Names of the statements that the store has in its source. */
function statementsInSource(): string[] {
  const folder = new URL('../src/hot/', import.meta.url);
  const files = readdirSync(folder).filter((name) => name.endsWith('.ts'));
  const text = files.map((name) => readFileSync(new URL(name, folder), 'utf8')).join('\n');
  return [...text.matchAll(/\bname: ['`]([a-z-]+)/g)].map(([, name]) => name ?? '');
}

describe.each(Object.entries(KNOWLEDGE))(
  'while the planner knows of its tables %s, the store',
  (_what, steps) => {
    let testDatabase: TestDatabase;
    let database: Database;
    let statements: ReadonlyMap<string, string>;
    beforeAll(async () => {
      testDatabase = await createTestDatabase('signer');
      database = await connectDatabase({ url: testDatabase.url, settings: SIGNER_DATABASE_SETTINGS });
      for (const table of TABLES) {
        await database.pool.query(`ALTER TABLE ${table} SET (autovacuum_enabled = off)`);
      }
      statements = await recordStatements(() => useEveryStatement(database));
      for (const step of steps) await database.pool.query(step);
    });
    afterAll(async () => {
      await database.close();
      await testDatabase.drop();
    });

    it('scans no whole table and no whole index, except for the sequences to maintain and the count at a scrape', async () => {
      const reading: [statement: string, tables: readonly string[]][] = [];
      for (const [name, text] of statements) {
        const scans = await scansOf(database, text);
        const whole = scans.filter(
          ({ table, condition }) => TABLES.includes(table) && condition === undefined,
        );
        if (whole.length > 0) reading.push([name, whole.map(({ table }) => table)]);
      }
      expect(reading).toEqual([
        [
          expect.stringMatching(/^SELECT COUNT\(\*\).* GROUP BY "public"."nonce_entry"."state"/),
          ['nonce_entry'],
        ],
        ['claim-sequences', ['nonce_sequence']],
      ]);
    });

    it.each(['store-signed', 'move-nonces-accepted', 'move-nonces-gone'])(
      'finds rows of a busy sequence by their nonces: %s',
      async (name) => {
        const scans = await scansOf(database, statements.get(name) ?? '');
        const condition = expect.stringMatching(/lane_id.*nonce/);
        expect(scans).toEqual([{ table: 'nonce_entry', index: 'nonce_entry_pkey', condition }]);
      },
    );

    it('finds idempotency keys by their digests, for the bytes that are stored under a claim', async () => {
      const scans = await scansOf(database, statements.get('store-signed-claimed') ?? '');
      expect(scans).toEqual([
        {
          table: 'idempotency_key',
          index: 'idempotency_key_pkey',
          condition: expect.stringMatching(/digest/),
        },
        {
          table: 'nonce_entry',
          index: 'nonce_entry_idempotency_idx',
          condition: expect.stringMatching(/digest/),
        },
        {
          table: 'nonce_entry',
          index: 'nonce_entry_pkey',
          condition: expect.stringMatching(/lane_id.*nonce/),
        },
      ]);
    });

    it('looks for free nonces of a busy sequence among the free ones', async () => {
      const scans = await scansOf(database, statements.get('reserve-fresh') ?? '');
      const ofEntries = scans.filter(({ table }) => table === 'nonce_entry');
      expect(ofEntries.map(({ index }) => index)).toEqual(['nonce_entry_free_idx']);
    });

    it('selects columns by their names, so that the next version can give a table further ones or other names', () => {
      const all = new RegExp(
        `\\*\\s+FROM\\s+"?(${TABLES.join('|')})\\b|\\b(${TABLES.join('|')})\\.\\*|RETURNING\\s+\\*`,
      );
      expect([...statements.values()].filter((text) => all.test(text))).toEqual([]);
      expect('SELECT * FROM nonce_entry').toMatch(all);
    });

    it('is fully checked: every statement is examined, and one that scans a table is found', async () => {
      const seen = [...statements.keys()];
      expect(statementsInSource().filter((name) => !seen.some((one) => one.startsWith(name)))).toEqual([]);
      const scans = await scansOf(database, 'SELECT FROM nonce_entry WHERE raw = $1');
      expect(scans).toEqual([{ table: 'nonce_entry', index: undefined, condition: undefined }]);
    });
  },
);
