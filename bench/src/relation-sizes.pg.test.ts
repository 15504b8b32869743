import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { connectDatabase, type Database } from '@tetrad/db';
import { createTestDatabase, type TestDatabase } from '@tetrad/testkit';
import { growthOf, readRelationSizes } from './relation-sizes.js';

let made: TestDatabase;
let database: Database;
beforeAll(async () => {
  made = await createTestDatabase();
  database = await connectDatabase({ url: made.url, poolSize: 1 });
});
afterAll(async () => {
  await database?.close();
  await made?.drop();
});

it('counts tables and indexes apart, what is too large for a row too, and not what was removed again', async () => {
  const { pool } = database;
  await pool.query('CREATE TABLE kept (id int PRIMARY KEY, content bytea)');
  await pool.query('ALTER TABLE kept ALTER content SET STORAGE EXTERNAL');
  await pool.query('CREATE TABLE passing (content text)');
  const before = await readRelationSizes(database);
  await pool.query(
    `INSERT INTO kept SELECT id, decode(repeat('ab', 10000), 'hex') FROM generate_series(1, 1000) AS id`,
  );
  await pool.query(`INSERT INTO passing SELECT 'gone' FROM generate_series(1, 10000)`);
  await pool.query('DELETE FROM passing');
  const growth = growthOf(before, await readRelationSizes(database));
  expect(growth.slice(0, 2).map(([name]) => name)).toEqual(['kept', 'kept_pkey']);
  expect(growth[0]?.[1]).toBeGreaterThan(10_000_000);
  // The maps of free and of visible pages stay; the rows took four times as much.
  expect(new Map(growth).get('passing') ?? 0).toBeLessThan(100_000);
});
