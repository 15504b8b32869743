import { afterAll, describe, expect, it } from '@jest/globals';
import { createDatabase, createOwnedDatabase } from '../src/index.js';
import { connectDatabase } from '../src/database.js';
import { newDatabase, stopServer } from './own-server.js';

afterAll(stopServer);

/** Runs a statement with the rights of the URL. */
async function run(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const database = await connectDatabase({ url, poolSize: 1 });
  try {
    return (await database.pool.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await database.close();
  }
}

describe('a database with a role of its own', () => {
  it('is made once, and its role may do everything in it and nothing outside', async () => {
    const admin = await newDatabase();
    const url = await createOwnedDatabase(admin, 'owned_new');
    expect(await createOwnedDatabase(admin, 'owned_new')).toBe(url);
    expect(await run(url, 'SHOW is_superuser')).toEqual([{ is_superuser: 'off' }]);
    await run(url, 'CREATE TABLE kept (id INTEGER)');
    await expect(run(url, "COPY kept FROM PROGRAM 'true'")).rejects.toThrow('permission denied');
    await expect(run(url, 'CREATE ROLE other')).rejects.toThrow('permission denied');
  });

  it('is transferred with its rows when the administrator created it', async () => {
    const admin = await newDatabase();
    const before = await createDatabase(admin, 'owned_old');
    await run(before, "CREATE TYPE colour AS ENUM ('red')");
    await run(before, 'CREATE TABLE kept (id BIGSERIAL PRIMARY KEY, colour colour)');
    await run(before, "INSERT INTO kept (colour) VALUES ('red')");
    await run(before, 'CREATE FUNCTION seven() RETURNS INTEGER LANGUAGE SQL RETURN 7');
    await run(before, 'CREATE SCHEMA queue CREATE TABLE job (id INTEGER)');
    const url = await createOwnedDatabase(admin, 'owned_old');
    await run(url, 'ALTER TABLE queue.job ADD COLUMN more INTEGER');
    await run(url, 'CREATE TABLE queue.other (id INTEGER)');
    expect(await run(url, "INSERT INTO kept (colour) VALUES ('red') RETURNING id")).toEqual([{ id: 2 }]);
    await run(url, 'ALTER TABLE kept ADD COLUMN more INTEGER');
    await run(url, "ALTER TYPE colour ADD VALUE 'blue'");
    await run(url, 'DROP FUNCTION seven()');
    expect(await run(url, 'SHOW is_superuser')).toEqual([{ is_superuser: 'off' }]);
  });
});
