import { randomBytes } from 'node:crypto';
import { openMeasuredDatabase, reportRowCosts } from '@tetrad/testkit';
import { insertAuditRecords } from '../../src/hot/insert-audit.js';
import { findKeys } from '../../src/hot/find-keys.js';
import { readVersion } from '../../src/hot/read-version.js';
import { replaceKeys } from '../../src/hot/replace-keys.js';
import { readAddressesVersion } from '../../src/sealing-rows.js';
import { openWalletClient } from '../../src/wallet-client.js';

const GROUP = 50;
const KEYS = 1_000;

const keys = Array.from({ length: KEYS }, () => ({
  address: randomBytes(21),
  kind: 1,
  generation: 1,
  cipher: 'aes-256-gcm',
  nonce: randomBytes(12),
  sealed: randomBytes(48),
}));
const asked = keys.slice(0, GROUP).map(({ address }) => address);
const records = asked.map(
  (address, place) =>
    ({
      caller: 'payments',
      requestId: String(place),
      address,
      digest: randomBytes(32),
      action: 'sign',
      decision: 'done',
    }) as const,
);

const database = await openMeasuredDatabase('wallet');
const rows = openWalletClient(database);
await rows.client.walletKey.createMany({ data: keys });

/** Each statement of `hot/` beside the calls of the client that do the same. */
await reportRowCosts([
  {
    statement: 'insert-audit',
    rows: GROUP,
    client: () => rows.client.auditRecord.createMany({ data: records }),
    sql: () =>
      insertAuditRecords(
        database.pool,
        records.map((record) => ({ record })),
      ),
  },
  {
    statement: 'find-keys',
    rows: GROUP,
    client: () => rows.client.walletKey.findMany({ where: { address: { in: asked } } }),
    sql: () => findKeys(database, asked),
  },
  {
    statement: 'find-keys',
    rows: 1,
    client: () => rows.client.walletKey.findUnique({ where: { address: asked[0] ?? Buffer.of() } }),
    sql: () => findKeys(database, asked.slice(0, 1)),
  },
  {
    statement: 'read-version',
    rows: 1,
    client: () => readAddressesVersion(rows.client),
    sql: () => readVersion(database),
  },
  {
    statement: 'replace-keys',
    rows: KEYS,
    client: () =>
      rows.transaction(async (calls) => {
        for (const { address, nonce, sealed, generation } of keys)
          await calls.walletKey.update({ where: { address }, data: { nonce, sealed, generation } });
      }),
    sql: () => replaceKeys(database.pool, keys),
  },
]);

await rows.close();
await database.close();
