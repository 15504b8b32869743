import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { connectDatabase, prismaFolder, readMigrations, type Database } from '@tetrad/db';
import { multiplyGenerator, operationKinds, sign, type OperationKind } from '@tetrad/rollup-crypto';
import { createTestDatabase, type TestDatabase } from '@tetrad/testkit';
import { ZERO_ADDRESS, hashFromBytes } from '@tetrad/types';
import { openRollupStore, type ChainEvents, type RollupStore, type StoredRequest } from '../src/index.js';

const NOTHING: ChainEvents = { tokens: [], deposits: [], requests: [] };
/** What the account has done when it asks for its next operation, after batch 1. */
const NONCE = 4;
const REQUEST: StoredRequest = {
  blockNumber: 1,
  logIndex: 0,
  height: 1,
  nonce: NONCE + 1,
  tokenId: 0,
  amount: 9n,
  hash: 5n,
  operation: {
    kind: 'outboundTransfer',
    fromAccountId: 7,
    toEthereumAddress: ZERO_ADDRESS,
    tokenId: 0,
    amount: 9n,
    nonce: NONCE + 1,
    signature: sign(3n, 5n),
  },
  proved: {
    id: 7,
    publicKey: multiplyGenerator(3n),
    jointKey: { hash: 1n },
    blindingFactor: 1n,
    nonce: NONCE,
    redemptionIndex: 0,
    tokenId: 0,
    balance: 9n,
    siblings: [],
  },
};

let test: TestDatabase;
let database: Database;
let store: RollupStore;

beforeAll(async () => {
  test = await createTestDatabase('rollup-operator');
  database = await connectDatabase({ url: test.url });
  store = openRollupStore(database);
});

afterAll(async () => {
  await database?.close();
  await test?.drop();
});

const query = (text: string) => database.pool.query(text);
const batch = (height: number, state = 'final') =>
  query(
    `INSERT INTO batch (height, state, operations, size, inbound_from, inbound_to) VALUES (${height}, '${state}', 2, 2, 0, 0)`,
  );
/** The account after a batch; without a nonce it cannot be read. */
const version = (height: number, nonce?: number) =>
  query(
    nonce === undefined
      ? `INSERT INTO account_version (account_id, batch_height) VALUES (7, ${height})`
      : `INSERT INTO account_version (account_id, batch_height, nonce, redemption_index, balances) VALUES (7, ${height}, ${nonce}, 0, '{}')`,
  );
const place = (height: number, kind: OperationKind) =>
  query(
    `INSERT INTO opaque_place (batch_height, batch_index, kind, account_id, token_id, amount, recipient, ciphertext, leaf, order_hash)
     VALUES (${height}, 0, ${operationKinds[kind]}, 7, 0, 0, '', '', '', '')`,
  );
/** An operation of the account that is known where the account is not. */
const made = (height: number, nonce: number) =>
  query(
    `INSERT INTO operation (hash, kind, account_id, nonce, status, signature, batch_height, batch_index)
     VALUES ('\\x0${nonce}', 4, 7, ${nonce}, 'EXECUTED', '', ${height}, 0)`,
  );
const isOpen = async () => (await store.readRequestLoad([], { atSeconds: 1, timeoutSeconds: 1 })).open === 1;

/** The batches of the account since it has asked, and whether the contract has an open request of it then. */
const CASES: readonly (readonly [string, (() => Promise<unknown>)[], isOpen: boolean])[] = [
  ['an operation', [() => batch(2), () => version(2, NONCE + 1)], false],
  ['a credit', [() => batch(2), () => version(2, NONCE)], true],
  [
    'an operation, which was pruned, and a credit',
    [() => batch(2), () => batch(3), () => version(3, NONCE + 1)],
    false,
  ],
  [
    'an operation in a batch that is not final',
    [() => batch(2, 'submitted'), () => version(2, NONCE + 1)],
    true,
  ],
  [
    'an operation that cannot be read',
    [() => batch(2), () => version(2), () => place(2, 'setConsent')],
    false,
  ],
  ['a credit that cannot be read', [() => batch(2), () => version(2), () => place(2, 'credit')], true],
  [
    'an operation and a credit that cannot be read, of which one was pruned',
    [
      () => batch(2),
      () => batch(3),
      () => version(3),
      () => place(2, 'outboundTransfer'),
      () => place(3, 'credit'),
    ],
    false,
  ],
  [
    'an operation that was asked for, and leaves the account unreadable',
    [() => batch(2), () => version(2), () => made(2, NONCE + 1)],
    false,
  ],
  [
    'a credit that cannot be read, after operations before the request',
    [() => made(1, NONCE), () => place(1, 'redeemMoneyOrder'), () => batch(2), () => version(2)],
    true,
  ],
];

describe('a request of the contract', () => {
  beforeEach(async () => {
    await query('TRUNCATE batch, chain_block, requested_operation, operation, account_version, opaque_place');
    await batch(1);
    await version(1, NONCE);
    await store.advanceChain({ ...NOTHING, requested: [REQUEST] }, [
      { number: 1, hash: hashFromBytes(new Uint8Array(32).fill(1)) },
    ]);
  });

  it.each(CASES)('is answered as the contract says after %s', async (_, steps, expected) => {
    for (const step of steps) await step();
    await store.advanceChain({ ...NOTHING, batches: [1, 2, 3] }, [
      { number: 2, hash: hashFromBytes(new Uint8Array(32).fill(2)) },
    ]);
    expect(await isOpen()).toBe(expected);
  });

  it.each(CASES)(
    'is opened again by the migration where only a credit has answered it, after %s',
    async (_, steps, expected) => {
      for (const step of steps) await step();
      await query("UPDATE requested_operation SET answered = true, failure = 'NONCE_TOO_LOW'");
      const migrations = await readMigrations(prismaFolder('rollup-operator'));
      const { script } = migrations.find(({ name }) => name.endsWith('_reopened_requests'))!;
      await query(script);
      expect(await isOpen()).toBe(expected);
      const { rowCount } = await query(
        'SELECT FROM requested_operation WHERE NOT answered AND failure IS NOT NULL',
      );
      expect(rowCount).toBe(0);
    },
  );
});
