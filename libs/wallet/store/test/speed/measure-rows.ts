import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { connectDatabase, createDatabase, migrateDeploy, prismaFolder } from '@tetrad/db';
import { insertAuditRecords } from '../../src/hot/insert-audit.js';
import { findKeys } from '../../src/hot/find-keys.js';
import { replaceKeys } from '../../src/hot/replace-keys.js';
import { openWalletClient } from '../../src/wallet-client.js';

/** A program: `measure-rows.js URL REPORT`. Each statement of `hot/` beside the calls of the client that do the same. */
const [url = '', report = ''] = process.argv.slice(2);

const TURNS = 40;
const GROUP = 50;
const KEYS = 1_000;

const databaseUrl = await createDatabase(url, 'measure_wallet_rows');
await migrateDeploy(databaseUrl, prismaFolder('wallet'));
const database = await connectDatabase({ url: databaseUrl });
const rows = openWalletClient(database);

const keys = Array.from({ length: KEYS }, () => ({
  address: randomBytes(21),
  ...{ kind: 1, generation: 1, cipher: 'aes-256-gcm', nonce: randomBytes(12), sealed: randomBytes(48) },
}));
await rows.client.walletKey.createMany({ data: keys });
const asked = keys.slice(0, GROUP).map(({ address }) => address);
const records = asked.map((address, place) => ({
  ...{ caller: 'payments', requestId: String(place), address, digest: randomBytes(32) },
  ...({ action: 'sign', decision: 'done' } as const),
}));

/** Milliseconds of CPU of this process, and milliseconds on the clock, for one turn. */
async function cost(work: () => Promise<unknown>): Promise<{ cpuMs: number; wallMs: number }> {
  for (let turn = 0; turn < TURNS / 4; turn++) await work();
  const [cpu, started] = [process.cpuUsage(), performance.now()];
  for (let turn = 0; turn < TURNS; turn++) await work();
  const { user, system } = process.cpuUsage(cpu);
  return { cpuMs: (user + system) / 1_000 / TURNS, wallMs: (performance.now() - started) / TURNS };
}

const measured = [
  {
    statement: 'insert-audit',
    rows: GROUP,
    client: await cost(() => rows.client.auditRecord.createMany({ data: records })),
    sql: await cost(() =>
      insertAuditRecords(
        database.pool,
        records.map((record) => ({ record })),
      ),
    ),
  },
  {
    statement: 'find-keys',
    rows: GROUP,
    client: await cost(() => rows.client.walletKey.findMany({ where: { address: { in: asked } } })),
    sql: await cost(() => findKeys(database, asked)),
  },
  {
    statement: 'find-keys',
    rows: 1,
    client: await cost(() =>
      rows.client.walletKey.findUnique({ where: { address: asked[0] ?? Buffer.of() } }),
    ),
    sql: await cost(() => findKeys(database, asked.slice(0, 1))),
  },
  {
    statement: 'replace-keys',
    rows: KEYS,
    client: await cost(() =>
      rows.transaction(async (calls) => {
        for (const { address, nonce, sealed, generation } of keys)
          await calls.walletKey.update({ where: { address }, data: { nonce, sealed, generation } });
      }),
    ),
    sql: await cost(() => replaceKeys(database.pool, keys)),
  },
];

await rows.close();
await database.close();
await writeFile(report, JSON.stringify(measured));
