import { randomUUID } from 'node:crypto';
import type { ComparedStatement } from '@tetrad/testkit';
import type pg from 'pg';
import { adoptCounts } from '../../src/hot/adopt-counts.js';
import { claimSequences } from '../../src/hot/claim-sequences.js';
import { findGapEnd } from '../../src/hot/find-gap.js';
import { leadBack } from '../../src/hot/lead-back.js';
import { listSigned } from '../../src/hot/list-signed.js';
import { lockSequence } from '../../src/hot/lock-sequence.js';
import { openGap } from '../../src/hot/open-gap.js';
import { putBackSettled } from '../../src/hot/put-back-settled.js';
import { settleNonces } from '../../src/hot/settle-nonces.js';
import { takeOverNonces } from '../../src/hot/take-over-nonces.js';
import { storeEntries, type FilledSigner } from './filled-signer.js';

/** Entries of a sequence that a pass examines. */
const ENTRIES = 64;
const WIDE = 10;

/** What a pass does with each of its sequences, every second for up to 200 of them. */
export async function comparedPasses(filled: FilledSigner): Promise<ComparedStatement[]> {
  const { id } = await filled.client.nonceSequence.create({
    data: { chainId: 2n, account: Buffer.alloc(20), privacyGroup: Buffer.alloc(0), nextNonce: 1_000 },
  });
  const own = { ...filled, sequenceId: Number(id) };
  await storeEntries(own, { first: 100, count: ENTRIES, state: 'accepted' });
  return [...watched(own), ...counted(own), ...gaps(own)];
}

/** A statement of a transaction, beside a transaction of the client. */
function within(
  { database, client }: FilledSigner,
  parts: {
    readonly statement: string;
    readonly rows: number;
    readonly sql: (own: pg.ClientBase) => Promise<unknown>;
    readonly client: (calls: Parameters<Parameters<typeof client.$transaction>[0]>[0]) => Promise<unknown>;
  },
): ComparedStatement {
  return {
    statement: parts.statement,
    rows: parts.rows,
    client: () => client.$transaction(parts.client),
    sql: () => database.transaction(parts.sql),
  };
}

function watched(filled: FilledSigner): ComparedStatement[] {
  const { database, client, replica, sequenceId } = filled;
  const doubtful = ['doubtful'] as const;
  return [
    {
      statement: 'claim-sequences',
      rows: 2,
      client: () =>
        client.nonceSequence.updateManyAndReturn({
          where: { OR: [{ watcher: null }, { watcher: replica }] },
          data: { watcher: replica, watchedAt: new Date() },
          select: { id: true, chainId: true, account: true, privacyGroup: true },
        }),
      sql: () => claimSequences(database.pool, { watcher: replica, limit: 200 }),
    },
    within(filled, {
      statement: 'take-over-nonces',
      rows: 0,
      sql: (own) => takeOverNonces(own, sequenceId, { replica, stuckMs: 120_000 }),
      async client(calls) {
        const alive = await calls.replica.findMany({ where: { aliveUntil: { gt: new Date() } } });
        const owner = { notIn: alive.map(({ id }) => id) };
        for (const state of ['reserved', 'signed', 'doubtful', 'accepted'] as const)
          await calls.nonceEntry.updateMany({
            where: { sequenceId, state, owner },
            data: { owner: replica },
          });
      },
    }),
    {
      statement: 'list-signed',
      rows: ENTRIES,
      client: () =>
        client.nonceEntry.findMany({
          where: { sequenceId, state: 'accepted', nonce: { gte: 0 }, raw: { not: null } },
          orderBy: { nonce: 'asc' },
          take: ENTRIES,
        }),
      sql: () => listSigned(database.pool, sequenceId, { states: ['accepted'], from: 0n, limit: ENTRIES }),
    },
    {
      statement: 'list-signed',
      rows: 0,
      client: () =>
        client.nonceEntry.findMany({
          where: { sequenceId, state: { in: [...doubtful] }, nonce: { gte: 0 }, raw: { not: null } },
          orderBy: { nonce: 'asc' },
          take: ENTRIES,
        }),
      sql: () => listSigned(database.pool, sequenceId, { states: doubtful, from: 0n, limit: ENTRIES }),
    },
    within(filled, {
      statement: 'lock-sequence',
      rows: 1,
      sql: (own) => lockSequence(own, sequenceId),
      client: (calls) =>
        calls.nonceSequence.updateMany({ where: { id: sequenceId }, data: { watcher: replica } }),
    }),
  ];
}

function counted(filled: FilledSigner): ComparedStatement[] {
  const { replica, sequenceId } = filled;
  const counts = [{ sequenceId, nonce: 50n }];
  const minedCount = 50n;
  return [
    within(filled, {
      statement: 'adopt-counts',
      rows: 1,
      sql: (own) => adoptCounts(own, [{ sequenceId, wanted: 1, clientCount: 1_000n }], replica),
      async client(calls) {
        await calls.settledNonce.findMany({ where: { sequenceId, nonce: { gte: 1_000 } } });
        const where = { id: sequenceId };
        const { nextNonce } = await calls.nonceSequence.findUniqueOrThrow({ where });
        await calls.nonceSequence.updateMany({
          where: { ...where, nextNonce: { lt: 1_000 } },
          data: { nextNonce },
        });
        await calls.nonceEntry.deleteMany({ where: { sequenceId, isFree: true, nonce: { lt: 1_000 } } });
      },
    }),
    within(filled, {
      statement: 'put-back-settled',
      rows: 0,
      sql: (own) => putBackSettled(own, counts, replica),
      client: (calls) => calls.settledNonce.findMany({ where: { sequenceId, nonce: { gte: 50 } } }),
    }),
    within(filled, {
      statement: 'settle-nonces',
      rows: 0,
      sql: (own) => settleNonces(own, { id: sequenceId, minedCount }, { keep: 256, givenTtlMs: 3_600_000 }),
      async client(calls) {
        const state = { in: ['free', 'reserved', 'accepted'] as ('free' | 'reserved' | 'accepted')[] };
        await calls.nonceEntry.deleteMany({ where: { sequenceId, nonce: { lt: 50 }, state } });
        const changedAt = { lt: new Date(Date.now() - 3_600_000) };
        await calls.nonceEntry.deleteMany({ where: { sequenceId, given: true, changedAt } });
        await calls.settledNonce.deleteMany({ where: { sequenceId, nonce: { gte: 50 }, given: true } });
        await calls.nonceSequence.updateMany({
          where: { id: sequenceId, minedCount: { lt: 50 } },
          data: { minedCount: 50, minedAt: new Date() },
        });
      },
    }),
  ];
}

function gaps(filled: FilledSigner): ComparedStatement[] {
  const { sequenceId } = filled;
  const owner = randomUUID();
  const start = { sequenceId, nonce: 90n };
  const high = { sequenceId, nonce: 5_000n };
  return [
    within(filled, {
      statement: 'find-gap',
      rows: 1,
      sql: (own) => findGapEnd(own, start),
      async client(calls) {
        await calls.nonceSequence.findUnique({ where: { id: sequenceId } });
        await calls.nonceEntry.findMany({ where: { sequenceId, nonce: 90 } });
        await calls.nonceEntry.findFirst({
          where: { sequenceId, nonce: { gt: 90 }, given: false },
          orderBy: { nonce: 'asc' },
        });
      },
    }),
    within(filled, {
      statement: 'open-gap',
      rows: WIDE,
      sql: (own) => openGap(own, { ...start, end: 100n, owner }),
      async client(calls) {
        const data = Array.from(
          { length: WIDE },
          (_, place) =>
            ({
              sequenceId,
              nonce: 90 + place,
              state: 'free',
              owner,
            }) as const,
        );
        await calls.nonceEntry.createMany({ data, skipDuplicates: true });
        await calls.nonceEntry.findUnique({ where: { sequenceId_nonce: { sequenceId, nonce: 90 } } });
      },
    }),
    within(filled, {
      statement: 'lead-back',
      rows: 1,
      sql: (own) => leadBack(own, high),
      async client(calls) {
        await calls.nonceSequence.updateMany({ where: { id: sequenceId }, data: { nextNonce: 5_000 } });
        await calls.nonceSequence.updateMany({
          where: { id: sequenceId, minedCount: { gt: 5_000 } },
          data: { minedCount: 5_000 },
        });
        await calls.nonceEntry.deleteMany({ where: { sequenceId, isFree: true, nonce: { gte: 5_000 } } });
      },
    }),
  ];
}
