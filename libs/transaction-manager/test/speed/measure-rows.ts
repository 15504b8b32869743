import { randomBytes } from 'node:crypto';
import { openMeasuredDatabase, reportRowCosts } from '@tetrad/testkit';
import { keyFromBytes } from '../../src/keys/key-pair.js';
import { findPayloads } from '../../src/store/hot/find-payloads.js';
import { findRawPayloads } from '../../src/store/hot/find-raw-payloads.js';
import { insertPayloads } from '../../src/store/hot/insert-payloads.js';
import { insertRawPayloads } from '../../src/store/hot/insert-raw-payloads.js';
import { lockPayload } from '../../src/store/hot/lock-payload.js';
import { pagePayloads } from '../../src/store/hot/page-payloads.js';
import { stagePayload } from '../../src/store/hot/stage-payload.js';
import { updatePayload } from '../../src/store/hot/update-payload.js';
import { openManagerClient } from '../../src/store/manager-client.js';
import { messageStatements } from './message-statements.js';

const GROUP = 50;
/** Of a payload with a call of a contract. */
const ENCODED_BYTES = 600;

const database = await openMeasuredDatabase('transaction-manager');
const rows = openManagerClient(database);
const { client } = rows;

const keys = [randomBytes(32), randomBytes(32)];
const key = keys[0] ?? randomBytes(32);
const newPayloads = () =>
  Array.from({ length: GROUP }, () => ({
    hash: randomBytes(64),
    encoded: randomBytes(ENCODED_BYTES),
    recipients: keys,
  }));
const newRaws = () =>
  Array.from({ length: GROUP }, () => ({
    hash: randomBytes(64),
    raw: {
      sender: keyFromBytes(key),
      cipherText: randomBytes(ENCODED_BYTES / 2),
      nonce: randomBytes(24),
      encryptedKey: randomBytes(48),
    },
  }));
const stored = newPayloads();
await insertPayloads(database, stored);
const hashes = stored.map(({ hash }) => hash);
const hash = hashes[0] ?? randomBytes(64);
const raws = newRaws();
await insertRawPayloads(database, raws);
const rawHashes = raws.map((raw) => raw.hash);

/** Each statement of `hot/` beside the calls of the client that do the same. */
await reportRowCosts([
  {
    statement: 'insert-payloads',
    rows: GROUP,
    client: async () => {
      const created = await client.payload.createManyAndReturn({
        data: newPayloads().map((one) => ({ hash: one.hash, encoded: one.encoded })),
        skipDuplicates: true,
        select: { sequence: true },
      });
      const data = created.flatMap(({ sequence }) => keys.map((own) => ({ key: own, sequence })));
      await client.payloadRecipient.createMany({ data });
    },
    sql: () => insertPayloads(database, newPayloads()),
  },
  {
    statement: 'find-payloads',
    rows: GROUP,
    client: () => client.payload.findMany({ where: { hash: { in: hashes } } }),
    sql: () => findPayloads(database, hashes),
  },
  {
    statement: 'find-payloads',
    rows: 1,
    client: () => client.payload.findUnique({ where: { hash } }),
    sql: () => findPayloads(database, [hash]),
  },
  {
    statement: 'lock-payload',
    rows: 1,
    client: () => client.payload.findUnique({ where: { hash }, select: { encoded: true } }),
    sql: () => lockPayload(database.pool, hash),
  },
  {
    statement: 'update-payload',
    rows: 1,
    client: async () => {
      const { sequence } = await client.payload.update({
        where: { hash },
        data: { encoded: randomBytes(ENCODED_BYTES) },
        select: { sequence: true },
      });
      const data = keys.map((own) => ({ key: own, sequence }));
      await client.payloadRecipient.createMany({ data, skipDuplicates: true });
    },
    sql: () => updatePayload(database.pool, { hash, encoded: randomBytes(ENCODED_BYTES), recipients: keys }),
  },
  {
    statement: 'page-payloads',
    rows: GROUP,
    client: () =>
      client.payload.findMany({
        where: { sequence: { gt: 0 }, recipients: { some: { key } } },
        select: { sequence: true, encoded: true },
        orderBy: { sequence: 'asc' },
        take: GROUP,
      }),
    sql: () => pagePayloads(database, key, { after: 0, limit: GROUP }),
  },
  {
    statement: 'insert-raw-payloads',
    rows: GROUP,
    client: () =>
      client.rawPayload.createMany({
        data: newRaws().map((one) => ({ ...one.raw, hash: one.hash, sender: key })),
        skipDuplicates: true,
      }),
    sql: () => insertRawPayloads(database, newRaws()),
  },
  {
    statement: 'find-raw-payloads',
    rows: GROUP,
    client: () => client.rawPayload.findMany({ where: { hash: { in: rawHashes } } }),
    sql: () => findRawPayloads(database, rawHashes),
  },
  {
    statement: 'find-raw-payloads',
    rows: 1,
    client: () => client.rawPayload.findUnique({ where: { hash: rawHashes[0] ?? randomBytes(64) } }),
    sql: () => findRawPayloads(database, rawHashes.slice(0, 1)),
  },
  {
    statement: 'stage-payload',
    rows: 1,
    client: () =>
      rows.transaction(async (calls) => {
        const data = { hash: randomBytes(64), encoded: randomBytes(ENCODED_BYTES) };
        if ((await calls.stagedPayload.findFirst({ where: data, select: { sequence: true } })) === null)
          await calls.stagedPayload.create({ data: { ...data, affected: [hash] } });
      }),
    sql: () =>
      stagePayload(database, {
        hash: randomBytes(64),
        encoded: randomBytes(ENCODED_BYTES),
        affected: [hash],
      }),
  },
  ...messageStatements(rows, database),
]);

await rows.close();
await database.close();
