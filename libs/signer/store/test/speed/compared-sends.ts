import { randomBytes } from 'node:crypto';
import { clientBytes } from '@tetrad/db/client';
import type { ComparedStatement } from '@tetrad/testkit';
import { answerKeys } from '../../src/hot/answer-keys.js';
import { moveRows } from '../../src/hot/move-nonces.js';
import { readPosition } from '../../src/hot/read-position.js';
import { replaceSigned } from '../../src/hot/replace-signed.js';
import { reserveFresh } from '../../src/hot/reserve-fresh.js';
import { reserveNonces } from '../../src/hot/reserve-nonces.js';
import { storeGiven } from '../../src/hot/store-given.js';
import { storeSigned } from '../../src/hot/store-signed.js';
import {
  GROUP,
  STORED_HASH,
  TURNS_ROWS,
  groupsFrom,
  signedFrom,
  storeEntries,
  type FilledSigner,
} from './filled-signer.js';

/** Nonces of each part, far from those that are assigned. */
const [RESERVED, ACCEPTED, GIVEN, REPLACED] = [1e6, 2e6, 3e6, 4e6] as const;

/** What a send waits for. */
export async function comparedSends(filled: FilledSigner): Promise<ComparedStatement[]> {
  await storeEntries(filled, { first: RESERVED, count: TURNS_ROWS, state: 'reserved' });
  await storeEntries(filled, { first: ACCEPTED, count: GROUP, state: 'accepted' });
  return [...reservations(filled), ...bytes(filled), ...outcomes(filled), ...positions(filled)];
}

function reservations({ database, client, replica, sequenceId }: FilledSigner): ComparedStatement[] {
  const id = sequenceId;
  const reserveByClient = () =>
    client.$transaction(async (calls) => {
      const { nextNonce } = await calls.nonceSequence.update({
        where: { id },
        data: { nextNonce: { increment: GROUP } },
        select: { nextNonce: true },
      });
      const where = { sequenceId, isFree: true, nonce: { lt: nextNonce } };
      await calls.nonceEntry.findMany({ where, select: { nonce: true }, take: GROUP });
      const data = Array.from(
        { length: GROUP },
        (_, place) =>
          ({
            sequenceId,
            nonce: nextNonce.minus(1 + place),
            state: 'reserved',
            owner: replica,
          }) as const,
      );
      await calls.nonceEntry.createMany({ data });
    });
  return [
    {
      statement: 'reserve-fresh',
      rows: GROUP,
      client: reserveByClient,
      sql: () => reserveFresh(database.pool, { sequenceId, wanted: GROUP }, replica),
    },
    {
      statement: 'reserve-nonces',
      rows: GROUP,
      client: reserveByClient,
      sql: () => database.transaction((own) => reserveNonces(own, [{ sequenceId, wanted: GROUP }], replica)),
    },
  ];
}

function bytes({ database, client, replica, sequenceId }: FilledSigner): ComparedStatement[] {
  const nextGroup = groupsFrom(RESERVED);
  const nextGiven = groupsFrom(GIVEN, 1);
  const [replaced] = signedFrom(sequenceId, REPLACED, 1);
  const columnsOf = (nonce: number) => ({
    sequenceId,
    nonce,
    owner: replica,
    raw: randomBytes(110),
    hash: randomBytes(32),
  });
  return [
    {
      statement: 'store-signed',
      rows: GROUP,
      client: () =>
        client.$transaction(
          signedFrom(sequenceId, nextGroup()).map(({ nonce, raw }) =>
            client.nonceEntry.updateMany({
              where: { sequenceId, nonce: nonce.toString(), state: 'reserved', owner: replica },
              data: { state: 'signed', raw: clientBytes(raw), hash: randomBytes(32), changedAt: new Date() },
            }),
          ),
        ),
      sql: () => storeSigned(database.pool, signedFrom(sequenceId, nextGroup()), replica),
    },
    {
      statement: 'store-given',
      rows: 1,
      client: () =>
        client.nonceEntry.createMany({
          data: [{ ...columnsOf(nextGiven()), state: 'signed', given: true }],
          skipDuplicates: true,
        }),
      sql: async () => {
        for (const signed of signedFrom(sequenceId, nextGiven(), 1))
          await storeGiven(database.pool, signed, replica);
      },
    },
    {
      statement: 'replace-signed',
      rows: 1,
      client: () =>
        client.nonceEntry.upsert({
          where: { sequenceId_nonce: { sequenceId, nonce: REPLACED } },
          create: { ...columnsOf(REPLACED), state: 'accepted', given: true },
          update: { ...columnsOf(REPLACED), state: 'accepted', changedAt: new Date() },
        }),
      sql: async () => replaced && replaceSigned(database.pool, replaced, replica),
    },
  ];
}

function outcomes({ database, client, replica, sequenceId }: FilledSigner): ComparedStatement[] {
  const kind = { from: ['accepted'], to: 'accepted' } as const;
  const moves = signedFrom(sequenceId, ACCEPTED).map(({ nonce }) => ({
    kind,
    sequenceId,
    nonce,
    hash: STORED_HASH,
  }));
  const answers = moves.map(() => ({ idempotency: randomBytes(32), json: '"0x00"' }));
  return [
    {
      statement: 'move-nonces',
      rows: GROUP,
      client: () =>
        client.$transaction(
          moves.map(({ nonce }) =>
            client.nonceEntry.updateMany({
              where: { sequenceId, nonce: nonce.toString(), state: { in: [...kind.from] }, owner: replica },
              data: { state: 'accepted', changedAt: new Date() },
            }),
          ),
        ),
      sql: () => moveRows(database.pool, moves, { kind, replica }),
    },
    {
      statement: 'answer-keys',
      rows: GROUP,
      client: () =>
        client.$transaction(
          answers.map(({ idempotency: digest, json: answer }) =>
            client.idempotencyKey.updateMany({ where: { digest, answer: null }, data: { answer } }),
          ),
        ),
      sql: () => database.transaction((own) => answerKeys(own, answers)),
    },
  ];
}

function positions({ database, client, sequenceId }: FilledSigner): ComparedStatement[] {
  const where = { id: sequenceId };
  return [
    {
      statement: 'read-position',
      rows: 1,
      client: () =>
        client.$transaction(
          async (calls) => {
            const { nextNonce } = await calls.nonceSequence.findUniqueOrThrow({ where });
            await calls.nonceEntry.count({ where: { sequenceId, nonce: { gte: nextNonce, lt: RESERVED } } });
          },
          { isolationLevel: 'RepeatableRead' },
        ),
      sql: () => readPosition(database.pool, sequenceId, BigInt(RESERVED)),
    },
  ];
}
