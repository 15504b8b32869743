import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { connectDatabase, type Database } from '@tetrad/db';
import { publishedBatch } from '@tetrad/rollup-chain';
import {
  multiplyGenerator,
  operationHash,
  type Ciphertext,
  type MoneyOrderCreation,
} from '@tetrad/rollup-crypto';
import {
  MemoryState,
  applyBatch,
  type Batch,
  type InboundTransfer,
  type RollupOperation,
} from '@tetrad/rollup-state';
import { openRollupStore, type RollupStore } from '@tetrad/rollup-store';
import { createTestDatabase, seededRandom, type TestDatabase } from '@tetrad/testkit';
import { hashFromBytes } from '@tetrad/types';
import { DOMAIN, RandomRollup } from '../../state/src/testing/random-rollup.js';
import { RollupUser } from '../../state/src/testing/rollup-user.js';
import { Sequencer, type FinalBatch } from '../src/index.js';

/** The key of the operator, and the one that it had before. */
const [SECRET, FORMER_SECRET] = [23n, 29n];
const [KEY, FORMER_KEY] = [multiplyGenerator(SECRET), multiplyGenerator(FORMER_SECRET)];
const SIZE = 4;

let testDatabase: TestDatabase;
let database: Database;
let store: RollupStore;

beforeAll(async () => {
  testDatabase = await createTestDatabase('rollup-operator');
  database = await connectDatabase({ url: testDatabase.url });
  store = openRollupStore(database);
});
afterAll(async () => {
  await database?.close();
  await testDatabase?.drop();
});

const forget = () =>
  database.pool.query(
    `TRUNCATE operation, account, account_version, money_order, batch, tree_node, deposit, chain_block, token, opaque_place;
     UPDATE sequence_head SET next_account_id = 1, open_height = 1, open_index = 0, next_inbound = 0,
            assembled_height = 0, version = version + 1`,
  );
beforeEach(forget);

function eventOf({ publicInputs, ciphertexts }: Batch): FinalBatch {
  const { height } = publicInputs;
  const hash = hashFromBytes(new Uint8Array(32).fill(height));
  const at = { blockNumber: height, blockHash: hash, transactionHash: hash };
  return { height, at, ...publishedBatch(publicInputs, ciphertexts) };
}

async function addDeposits(operations: readonly RollupOperation[]): Promise<void> {
  for (const deposit of operations.filter((one): one is InboundTransfer => one.kind === 'inboundTransfer'))
    await database.pool.query(
      `INSERT INTO deposit (index, account_id, token_id, amount, sender, block_number)
       VALUES ($1, $2, $3, $4, decode(repeat('00', 20), 'hex'), 1)`,
      [deposit.index, deposit.accountId, deposit.tokenId, String(deposit.amount)],
    );
}

const accept = async (operation: RollupOperation) => {
  if (operation.kind === 'inboundTransfer' || operation.kind === 'credit')
    throw new TypeError('a deposit is not accepted');
  const hash = operationHash(DOMAIN, operation);
  await store.accept({ hash, operation });
  return hash;
};

/** The rows but for what was never on the chain: signatures, the order and time of acceptance, how batches were made. */
async function records(): Promise<unknown> {
  const read = async (text: string) => (await database.pool.query(text)).rows;
  return {
    operations: await read(`
      SELECT hash, kind, account_id, nonce, status, rejection_reason, from_account_id, to_account_id, to_address, token_id,
             amount, blinding_factor, public_key, joint_key, total_index, ciphertext, batch_height, batch_index
        FROM operation WHERE status = 'EXECUTED' ORDER BY batch_height, batch_index`),
    accounts: await read('SELECT * FROM account WHERE account_id IS NOT NULL ORDER BY account_id'),
    versions: await read('SELECT * FROM account_version ORDER BY account_id, batch_height'),
    orders: await read('SELECT * FROM money_order ORDER BY total_index'),
    nodes: await read('SELECT * FROM tree_node ORDER BY tree, level, index, batch_height'),
    batches: await read(`
      SELECT height, size, inbound_from, inbound_to, previous_state_root, state_root, account_root, orders_root
        FROM batch ORDER BY height`),
    opaque: await read('SELECT * FROM opaque_place'),
  };
}

const sequencer = (secrets: readonly bigint[] = [SECRET]) =>
  new Sequencer(store, { domain: DOMAIN, batchSize: SIZE, operatorSecrets: secrets });

describe('an operator that lost its rows', () => {
  it('has the same ones again, from the chain and its key alone', async () => {
    const rollup = new RandomRollup(seededRandom(41), SIZE, { saysAll: true });
    const events: FinalBatch[] = [];
    const operations: RollupOperation[] = [];
    for (let height = 1; height <= 12; height += 1)
      await rollup.step(async (batch, offered) => {
        events.push(eventOf(batch));
        operations.push(...offered.filter((_, place) => batch.results[place]?.status === 'EXECUTED'));
      });
    const fill = async (isKnown: boolean) => {
      await addDeposits(operations);
      if (isKnown)
        for (const operation of operations)
          if (operation.kind !== 'inboundTransfer' && operation.kind !== 'credit') await accept(operation);
      const adopting = sequencer();
      for (const event of events) await adopting.adopt(event);
      return records();
    };
    const before = await fill(true);
    await forget();
    const after = await fill(false);
    expect(after).toEqual(before);
    expect(after).toMatchObject({ opaque: [] });
    expect(new Set(operations.map(({ kind }) => kind)).size).toBe(5);
  });
});

/** A chain of batches that a test makes by hand. */
class Chain {
  private readonly state = new MemoryState();

  batch(...operations: readonly RollupOperation[]): FinalBatch {
    const batch = applyBatch(this.state, { ...this.state.next, domain: DOMAIN, size: SIZE }, operations);
    expect(batch.results.map(({ status }) => status)).toEqual(operations.map(() => 'EXECUTED'));
    this.state.commit(batch);
    return eventOf(batch);
  }
}

const user = (id: number, seed: number, operatorKey = KEY) => {
  const random = seededRandom(seed);
  return new RollupUser(id, operatorKey, DOMAIN, () => BigInt(Math.floor(random() * 2 ** 48)) ** 5n);
};

/** Whether all is known of each account, from 1 on. */
const known = async (count: number) =>
  Promise.all(
    Array.from({ length: count }, async (_, index) => (await store.findAccount(index + 1)) !== undefined),
  );

describe('the text of a creation on the chain', () => {
  const alice = user(1, 1);

  it.each<[string, (own: readonly bigint[], other: readonly bigint[]) => readonly bigint[]]>([
    ['names the key of another account', (own, other) => [own[0] as bigint, ...other.slice(1)]],
    ['names the encryption key of another', (own, other) => [...own.slice(0, 3), ...other.slice(3)]],
    ['has another blinding factor', (own) => own.with(0, (own[0] as bigint) + 1n)],
    ['has a key off the curve', (own) => own.with(1, 1n)],
    ['has too few words', (own) => own.slice(0, 4)],
    ['is that of another account', (_, other) => other],
  ])('leaves the account opaque when it %s, and harms no other one', async (_, lie) => {
    const chain = new Chain();
    const mallory = user(2, 2);
    const text = lie(mallory.creationWords, alice.creationWords);
    await sequencer().adopt(chain.batch(alice.create(alice.creationWords), mallory.create(text)));
    expect(await known(2)).toEqual([true, false]);
    expect(await store.findAccountByKey(mallory.publicKey)).toBeUndefined();
    expect(await store.findAccountByKey(alice.publicKey)).toMatchObject({ id: 1, ...keysOf(alice) });
  });

  it('gives a key one account, the first, also when its creation is sent again', async () => {
    const chain = new Chain();
    const creation = alice.create(alice.creationWords);
    const again = (accountId: number) => ({ ...creation, accountId }) as RollupOperation;
    await sequencer().adopt(chain.batch(creation, again(2)));
    await sequencer().adopt(chain.batch(again(3)));
    expect(await known(3)).toEqual([true, false, false]);
    expect(await store.findAccountByKey(alice.publicKey)).toMatchObject({ id: 1 });
    expect(await store.findOperation(await hashOf(creation))).toMatchObject({
      batchHeight: 1,
      batchIndex: 0,
    });
  });

  it('ends a registration here whose text another one has used, and its holder can register again', async () => {
    const hash = await accept(alice.create(alice.creationWords));
    // As it was sent, the creation is of another key; that is all that its maker could change.
    const { ciphertext } = (await store.findOperation(hash))!.operation as { ciphertext: Ciphertext };
    const chain = new Chain();
    await sequencer().adopt(chain.batch(user(1, 2).createWith(ciphertext)));
    expect(await known(1)).toEqual([false]);
    expect(await sequencer().executePending()).toMatchObject({ executed: 0 });
    expect(await store.findOperation(hash)).toMatchObject({
      status: 'REJECTED',
      rejectionReason: 'ACCOUNT_ALREADY_EXISTS',
    });
    const again = alice.create(alice.creationWords);
    expect(await store.accept({ hash: await hashOf(again), operation: again as never })).toBe('ACCEPTED');
    expect(await sequencer().executePending()).toMatchObject({ executed: 1 });
    expect(await store.findAccountByKey(alice.publicKey)).toMatchObject({ id: 2 });
  });

  it('ends a registration here that says something else for the key', async () => {
    const registered = new RollupUser(1, KEY, DOMAIN, alice.draw, alice.secretKey);
    const hash = await accept(registered.create(registered.creationWords));
    const chain = new Chain();
    await sequencer().adopt(chain.batch(alice.create(alice.creationWords)));
    expect(await store.findOperation(hash)).toMatchObject({
      status: 'REJECTED',
      rejectionReason: 'ACCOUNT_ALREADY_EXISTS',
    });
    expect(await store.findAccountByKey(alice.publicKey)).toMatchObject({ id: 1, ...keysOf(alice) });
    expect(await sequencer().executePending()).toMatchObject({ executed: 0, rejected: 0 });
    expect((await store.readHead()).nextAccountId).toBe(2);
  });
});

describe('an operator with a new key', () => {
  it('reads accounts of its former key, and what is paid to them', async () => {
    const chain = new Chain();
    const [old, fresh] = [user(1, 1, FORMER_KEY), user(2, 2)];
    const toOld = fresh.pay(old, 0, 0n, 1) as RollupOperation & MoneyOrderCreation;
    const batches = [
      chain.batch(old.create(old.creationWords), fresh.create(fresh.creationWords)),
      chain.batch(toOld, old.pay(fresh, 0, 0n, 1)),
    ];
    const adopting = sequencer([SECRET, FORMER_SECRET]);
    for (const event of batches) await adopting.adopt(event);
    expect(await known(2)).toEqual([true, true]);
    expect(await store.findOperation(await hashOf(toOld))).toMatchObject({
      status: 'EXECUTED',
      operation: { order: toOld.order },
    });
    await forget();
    const forgetful = sequencer();
    for (const event of batches) await forgetful.adopt(event);
    expect(await known(2)).toEqual([false, false]);
  });
});

const keysOf = ({ publicKey, jointKey }: RollupUser) => ({ publicKey, jointKey });
const hashOf = async (operation: RollupOperation) => operationHash(DOMAIN, operation as never);
