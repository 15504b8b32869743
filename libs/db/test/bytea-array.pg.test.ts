import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createTestDatabase, type TestDatabase } from '@tetrad/testkit';
import fc from 'fast-check';
import { byteaArray } from '../src/bytea-array.js';
import { connectDatabase, type Database } from '../src/database.js';

let testDatabase: TestDatabase;
let database: Database;
beforeAll(async () => {
  testDatabase = await createTestDatabase();
  database = await connectDatabase({ url: testDatabase.url });
});
afterAll(async () => {
  await database?.close();
  await testDatabase?.drop();
});

it('an array of bytes arrives as it is, empty, with empty values and with nulls', async () => {
  const values = fc.array(fc.option(fc.uint8Array({ maxLength: 40 })), { maxLength: 12 });
  await fc.assert(
    fc.asyncProperty(values, async (sent) => {
      const { rows } = await database.pool.query<{ value: Buffer | null }>(
        'SELECT value FROM unnest($1::bytea[]) WITH ORDINALITY AS sent (value, place) ORDER BY place',
        [byteaArray(sent)],
      );
      expect(rows.map(({ value }) => value?.toString('hex'))).toEqual(
        sent.map((value) => (value === null ? undefined : Buffer.from(value).toString('hex'))),
      );
    }),
  );
});
