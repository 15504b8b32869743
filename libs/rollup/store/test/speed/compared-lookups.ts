import { clientBytes } from '@tetrad/db';
import { encodePoint, encodeWord } from '@tetrad/rollup-crypto';
import type { ComparedStatement } from '@tetrad/testkit';
import { DETAILS_FIELDS, parseBalances, parseDetails } from '../../src/account-rows.js';
import { countAccounts } from '../../src/hot/count-accounts.js';
import { findAccountDetails } from '../../src/hot/find-account-details.js';
import { findAccounts } from '../../src/hot/find-accounts.js';
import { findOpaqueCreations } from '../../src/hot/find-opaque-creations.js';
import { findOperation } from '../../src/hot/find-operation.js';
import { OPERATION_FIELDS, parseOperation } from '../../src/parse-operation.js';
import { selectOf } from '../../src/read-row.js';
import { ACCOUNTS, KEYS, range, type FilledRollup } from './filled-rollup.js';

const LOOKUPS = 50;

const details = { select: selectOf(DETAILS_FIELDS) };
const latestFirst = [{ accountId: 'asc' }, { batchHeight: 'desc' }] as const;

/** Accounts, which requests look up together. */
export function comparedAccounts({
  database: { pool },
  rows: { client },
}: FilledRollup): ComparedStatement[] {
  const ids = range(LOOKUPS).map((index) => index + 1);
  const keys = KEYS.slice(0, LOOKUPS).map((key) => clientBytes(encodePoint(key)));
  const accountId = { in: ids };
  return [
    {
      statement: 'find-account-details',
      rows: LOOKUPS,
      sql: () => findAccountDetails(pool, { keys: keys.map((key) => Buffer.from(key)) }),
      client: async () =>
        (await client.account.findMany({ where: { publicKey: { in: keys } }, ...details })).map(parseDetails),
    },
    {
      statement: 'find-account-details',
      rows: 1,
      sql: () => findAccountDetails(pool, { ids: [1] }),
      client: async () =>
        parseDetails(await client.account.findUniqueOrThrow({ where: { accountId: 1 }, ...details })),
    },
    {
      statement: 'find-accounts',
      rows: LOOKUPS,
      sql: () => findAccounts(pool, ids),
      client: async () => {
        const found = await client.account.findMany({ where: { accountId }, ...details });
        const versions = await client.accountVersion.findMany({
          where: { accountId },
          distinct: ['accountId'],
          orderBy: [...latestFirst],
        });
        return [found.map(parseDetails), versions.map(({ balances }) => parseBalances(balances))];
      },
    },
    {
      statement: 'count-accounts',
      rows: ACCOUNTS,
      sql: () => countAccounts(pool),
      client: () =>
        client.accountVersion.findMany({
          distinct: ['accountId'],
          orderBy: [...latestFirst],
          select: { accountId: true, balances: true },
        }),
    },
  ];
}

/** An operation by its hash, and registrations by what the chain says of creations. */
export function comparedOperations(
  { database: { pool }, rows: { client } }: FilledRollup,
  hash: bigint,
): ComparedStatement[] {
  const where = { hash: clientBytes(encodeWord(hash)) };
  const registrations = range(LOOKUPS).map((index) => ({
    words: Array<bigint>(15).fill(BigInt(index)),
    blindingFactor: BigInt(index),
  }));
  return [
    {
      statement: 'find-operation',
      rows: 1,
      sql: () => findOperation(pool, hash),
      client: async () =>
        parseOperation(
          await client.operation.findUniqueOrThrow({ where, select: selectOf(OPERATION_FIELDS) }),
        ),
    },
    {
      statement: 'find-opaque-creations',
      rows: LOOKUPS,
      sql: () => findOpaqueCreations(pool, registrations),
      client: async () => {
        for (const { blindingFactor } of registrations)
          await client.opaquePlace.findMany({
            where: { blindingFactor: clientBytes(encodeWord(blindingFactor)), kind: 1 },
            orderBy: [{ batchHeight: 'asc' }, { batchIndex: 'asc' }],
            take: 16,
          });
      },
    },
  ];
}
