import { afterAll, describe, expect, it } from '@jest/globals';
import { checkSchema, connectDatabase, prismaFolder, type Database } from '@tetrad/db';
import { createTestDatabase, type TestDatabase } from '../src/database.js';

const made: TestDatabase[] = [];

async function open(service?: string): Promise<Database> {
  const database = await createTestDatabase(service);
  made.push(database);
  return connectDatabase({ url: database.url });
}

afterAll(async () => {
  for (const database of made) await database.drop();
});

describe('a test database', () => {
  it('has the schema of its service', async () => {
    const database = await open('node');
    await expect(checkSchema(database, prismaFolder('node'))).resolves.toBeUndefined();
    await database.close();
  });

  it('shares no rows with another of the same service', async () => {
    const [first, second] = await Promise.all([open('node'), open('node')]);
    await first.pool.query(`INSERT INTO code (hash, code) VALUES ('\\x01', '\\x02')`);
    expect((await second.pool.query('SELECT * FROM code')).rowCount).toBe(0);
    await Promise.all([first.close(), second.close()]);
  });

  it('is empty when no service is named', async () => {
    const database = await open();
    const { rowCount } = await database.pool.query(`SELECT 1 FROM pg_tables WHERE schemaname = 'public'`);
    expect(rowCount).toBe(0);
    await database.close();
  });

  it('is gone after it was dropped, even while a client is connected', async () => {
    const { url, drop } = await createTestDatabase();
    const database = await connectDatabase({ url });
    await drop();
    await expect(connectDatabase({ url })).rejects.toThrow(/does not exist/);
    await database.close();
  });
});
