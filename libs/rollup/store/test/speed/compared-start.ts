import { clientBytes, type Database } from '@tetrad/db';
import { encodePoint, multiplyGenerator } from '@tetrad/rollup-crypto';
import type { ComparedStatement } from '@tetrad/testkit';
import { ZERO_ADDRESS } from '@tetrad/types';
import { findIdentity, insertIdentity } from '../../src/hot/read-at-start.js';
import { RollupClient } from '../../src/rollup-client.js';

const IDENTITY = { chainId: 1n, contract: ZERO_ADDRESS, operatorKey: multiplyGenerator(3n), batchSize: 2 };
const ROW = {
  id: 1,
  chainId: 1,
  contract: Buffer.alloc(20),
  batchSize: 2,
  operatorKey: clientBytes(encodePoint(IDENTITY.operatorKey)),
};

/** What a start does before the process serves: the first calls of a client, which is loaded for them. */
export function comparedStart(database: Database): ComparedStatement {
  return {
    statement: 'read-at-start',
    rows: 1,
    isFirst: true,
    async client() {
      const client = new RollupClient(database);
      const calls = await client.calls();
      await calls.rollup.createMany({ data: [ROW], skipDuplicates: true });
      await calls.rollup.findUnique({ where: { id: 1 } });
      await client.close();
    },
    async sql() {
      await insertIdentity(database.pool, IDENTITY);
      await findIdentity(database.pool);
    },
  };
}
