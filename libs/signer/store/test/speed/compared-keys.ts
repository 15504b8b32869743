import { randomBytes } from 'node:crypto';
import { clientBytes } from '@tetrad/db/client';
import type { ComparedStatement } from '@tetrad/testkit';
import { claimKey } from '../../src/hot/claim-key.js';
import { countRequests } from '../../src/hot/count-requests.js';
import { pruneKeys } from '../../src/hot/prune-keys.js';
import { releaseKey } from '../../src/hot/release-key.js';
import { GROUP, type FilledSigner } from './filled-signer.js';

/** Of a day: what a pass looks through for old ones. */
const KEYS = 1_000;

/** Idempotency keys, and requests of a minute. */
export async function comparedKeys(filled: FilledSigner): Promise<ComparedStatement[]> {
  const { client, replica } = filled;
  await client.idempotencyKey.createMany({
    data: Array.from({ length: KEYS }, () => ({
      digest: randomBytes(32),
      request: randomBytes(32),
      owner: replica,
      answer: '"0x00"',
    })),
  });
  return [...keys(filled), ...rates(filled)];
}

function keys({ database, client, replica }: FilledSigner): ComparedStatement[] {
  const claim = () => ({ digest: randomBytes(32), request: randomBytes(32) });
  const digest = clientBytes(randomBytes(32));
  const owner = replica;
  const ttlMs = 86_400_000;
  return [
    {
      statement: 'claim-key',
      rows: 1,
      client: () => client.idempotencyKey.createMany({ data: [{ ...claim(), owner }], skipDuplicates: true }),
      sql: () => claimKey(database.pool, claim(), owner),
    },
    {
      statement: 'release-key',
      rows: 1,
      client: () =>
        client.$transaction([
          client.nonceEntry.count({ where: { idempotency: digest } }),
          client.idempotencyKey.deleteMany({ where: { digest, owner, answer: null } }),
        ]),
      sql: () => releaseKey(database.pool, { digest, owner, version: '1' }),
    },
    {
      statement: 'prune-keys',
      rows: 0,
      client: () =>
        client.$transaction(async (calls) => {
          const where = { createdAt: { lt: new Date(Date.now() - ttlMs) } };
          const old = await calls.idempotencyKey.findMany({ where, select: { digest: true } });
          const digests = old.map((one) => one.digest);
          await calls.nonceEntry.findMany({
            where: { idempotency: { in: digests } },
            select: { idempotency: true },
          });
          await calls.idempotencyKey.deleteMany({ where: { digest: { in: digests } } });
        }),
      sql: () => pruneKeys(database.pool, ttlMs),
    },
  ];
}

function rates({ database, client }: FilledSigner): ComparedStatement[] {
  const buckets = Array.from({ length: GROUP }, () => randomBytes(32));
  const minute = Math.floor(Date.now() / 60_000);
  return [
    {
      statement: 'count-requests',
      rows: GROUP,
      client: () =>
        client.$transaction(
          buckets.map((bucket) =>
            client.rateWindow.upsert({
              where: { bucket_minute: { bucket, minute } },
              create: { bucket, minute, count: 1 },
              update: { count: { increment: 1 } },
            }),
          ),
        ),
      sql: () =>
        countRequests(
          database.pool,
          buckets.map((bucket) => [bucket, 1]),
        ),
    },
  ];
}
