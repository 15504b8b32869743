import { randomBytes } from 'node:crypto';
import { clientBytes, type Database } from '@tetrad/db';
import type { Rows } from '@tetrad/db/client';
import {
  encodeCiphertext,
  encodeJointKey,
  encodePoint,
  encodeSignature,
  encodeWord,
  encrypt,
  moneyOrderWords,
  multiplyGenerator,
  sign,
  totalIndex,
} from '@tetrad/rollup-crypto';
import type { PrismaClient } from '../../src/generated/client.js';
import { openRollupRows } from '../../src/open-client.js';

/** Operations, orders and deposits of a batch. */
export const GROUP = 100;
export const BATCHES = 10;
export const ACCOUNTS = 1_000;
/** Blocks of the chain that the follower remembers, and tokens of the contract. */
export const KNOWN_BLOCKS = 256;
export const TOKENS = 4;
/** Height of a batch that is sealed and not assembled. */
export const SEALED = BATCHES + 1;

export interface FilledRollup {
  readonly database: Database;
  readonly rows: Rows<PrismaClient>;
}

const POINT = multiplyGenerator(7n);
export const JOINT_KEY = { user: POINT, operator: POINT };
export const ORDER = { fromAccountId: 7, toAccountId: 8, tokenId: 0, amount: 5n, blindingFactor: 99n };
export const CIPHERTEXT = encrypt(moneyOrderWords(ORDER), JOINT_KEY, 2n ** 250n + 12_345n);
export const SIGNATURE = sign(1n, 1n);
/** Keys of the accounts, by id from 1 on. */
export const KEYS = Array.from({ length: ACCOUNTS }, (_, index) => multiplyGenerator(BigInt(index + 1)));

const WORD = clientBytes(encodeWord(99n));
/** What the columns of an order hold besides its hash and place. */
export const CONTENT = { fromAccountId: 7, toAccountId: 8, tokenId: 0, amount: '5', blindingFactor: WORD };

/** What the columns of an operation hold besides its hash, nonce and place. */
export const OPERATION = {
  ...CONTENT,
  kind: 2,
  accountId: 7,
  ciphertext: clientBytes(encodeCiphertext(CIPHERTEXT)),
  signature: clientBytes(encodeSignature(SIGNATURE)),
};

/** Numbers from 0 on. */
export const range = (count: number) => Array.from({ length: count }, (_, index) => index);

/** Fills a database with batches, their operations, orders, deposits and nodes, and accounts in two versions. */
export async function fillRollup(database: Database): Promise<FilledRollup> {
  const rows = openRollupRows(database);
  await fillAccounts(rows);
  for (const height of range(BATCHES)) await fillBatch(rows, height + 1);
  await fillChain(rows);
  await rows.client.batch.create({
    data: { height: SEALED, state: 'sealed', size: GROUP, inboundFrom: 0, inboundTo: 0 },
  });
  await database.pool.query('ANALYZE');
  return { database, rows };
}

async function fillAccounts({ client }: FilledRollup['rows']): Promise<void> {
  const jointKey = clientBytes(encodeJointKey(JOINT_KEY));
  await client.account.createMany({
    data: KEYS.map((key, index) => ({
      publicKey: clientBytes(encodePoint(key)),
      accountId: index + 1,
      createdHeight: 1,
      operationHash: randomBytes(32),
      jointKey,
      blindingFactor: WORD,
    })),
  });
  for (const batchHeight of [1, 2])
    await client.accountVersion.createMany({
      data: range(ACCOUNTS).map((index) => ({
        accountId: index + 1,
        batchHeight,
        nonce: 1,
        redemptionIndex: 0,
        balances: { 0: '1000000000000' },
      })),
    });
}

async function fillChain({ client }: FilledRollup['rows']): Promise<void> {
  await client.chainBlock.createMany({
    data: range(KNOWN_BLOCKS).map((index) => ({ number: index + 1, hash: randomBytes(32) })),
  });
  await client.token.createMany({
    data: range(TOKENS).map((tokenId) => ({ tokenId, address: Buffer.alloc(20), unit: '1', blockNumber: 1 })),
  });
  await client.submission.create({
    data: {
      transactionHash: randomBytes(32),
      batchHeight: SEALED,
      sender: Buffer.alloc(20),
      nonce: 1,
      maxFee: '1000000000',
      maxPriorityFee: '1',
      raw: randomBytes(4_000),
    },
  });
}

async function fillBatch({ client }: FilledRollup['rows'], height: number): Promise<void> {
  const places = range(GROUP).map((batchIndex) => ({ batchHeight: height, batchIndex }));
  const root = randomBytes(32);
  const roots = { previousStateRoot: root, stateRoot: root, accountRoot: root, ordersRoot: root };
  await client.batch.create({
    data: {
      ...roots,
      height,
      state: 'final',
      size: GROUP,
      inboundFrom: 0,
      inboundTo: 0,
      proof: randomBytes(2_000),
    },
  });
  await client.operation.createMany({
    data: places.map((place) => ({
      ...OPERATION,
      ...place,
      status: 'EXECUTED',
      hash: randomBytes(32),
      nonce: place.batchIndex,
    })),
  });
  await client.moneyOrder.createMany({
    data: places.map(({ batchHeight, batchIndex }) => ({
      ...CONTENT,
      batchHeight,
      totalIndex: totalIndex(batchHeight, batchIndex),
      hash: randomBytes(32),
    })),
  });
  await client.deposit.createMany({
    data: places.map((place) => ({
      ...place,
      index: height * GROUP + place.batchIndex,
      accountId: 7,
      tokenId: 0,
      amount: '5',
      sender: Buffer.alloc(20),
      blockNumber: 1,
    })),
  });
  await client.treeNode.createMany({
    data: places.map(({ batchIndex }) => ({
      tree: 1,
      level: 0,
      index: batchIndex,
      batchHeight: height,
      hash: root,
    })),
  });
}
