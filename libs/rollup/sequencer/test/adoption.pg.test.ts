import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { connectDatabase, type Database } from '@tetrad/db';
import { publishedBatch } from '@tetrad/rollup-chain';
import { encrypt, operationHash, type Signature } from '@tetrad/rollup-crypto';
import { applyBatch, type Batch, type InboundTransfer, type RollupOperation } from '@tetrad/rollup-state';
import { RollupStoreError, openRollupStore, type RollupStore } from '@tetrad/rollup-store';
import { createTestDatabase, seededRandom, type TestDatabase } from '@tetrad/testkit';
import { ZERO_ADDRESS, hashFromBytes } from '@tetrad/types';
import { LawfulBatches } from '../../state/src/testing/lawful-batches.js';
import { DOMAIN, RandomRollup } from '../../state/src/testing/random-rollup.js';
import { Sequencer, UnreadableBatchError, type FinalBatch } from '../src/index.js';

/** Of the operator of `RandomRollup`. */
const OPERATOR_SECRET = 23n;
const SIZE = 4;

/** A batch of another operator, and the operations in it. */
interface Made {
  readonly batch: Batch;
  readonly event: FinalBatch;
  readonly operations: readonly RollupOperation[];
}

let testDatabase: TestDatabase;
let database: Database;
let store: RollupStore;
let made: readonly Made[];

beforeAll(async () => {
  testDatabase = await createTestDatabase('rollup-operator');
  database = await connectDatabase({ url: testDatabase.url });
  store = openRollupStore(database);
  made = await makeBatches(10);
});
afterAll(async () => {
  await database?.close();
  await testDatabase?.drop();
});
beforeEach(async () => {
  await database.pool.query(
    `TRUNCATE operation, account, account_version, money_order, batch, tree_node, deposit, chain_block, token, opaque_place;
     UPDATE sequence_head SET next_account_id = 1, open_height = 1, open_index = 0, next_inbound = 0,
            assembled_height = 0, version = version + 1`,
  );
});

async function makeBatches(count: number, saysAll = false): Promise<Made[]> {
  const rollup = new RandomRollup(seededRandom(41), SIZE, { saysAll });
  const batches: Made[] = [];
  for (let height = 1; height <= count; height += 1)
    await rollup.step(async (batch, operations) => {
      batches.push({ batch, event: eventOf(batch), operations: executedOf(batch, operations) });
    });
  return batches;
}

function eventOf({ publicInputs, ciphertexts }: Batch): FinalBatch {
  const { height } = publicInputs;
  const hash = hashFromBytes(new Uint8Array(32).fill(height));
  const at = { blockNumber: height, blockHash: hash, transactionHash: hash };
  return { height, at, ...publishedBatch(publicInputs, ciphertexts) };
}

const executedOf = ({ results }: Batch, operations: readonly RollupOperation[]) =>
  operations.filter((_, place) => results[place]?.status === 'EXECUTED');

async function acceptAll(operations: readonly RollupOperation[]): Promise<void> {
  for (const operation of operations)
    if (operation.kind !== 'inboundTransfer' && operation.kind !== 'credit')
      await store.accept({ hash: operationHash(DOMAIN, operation), operation });
}

async function addDeposits(operations: readonly RollupOperation[]): Promise<void> {
  const deposits = operations.filter((one): one is InboundTransfer => one.kind === 'inboundTransfer');
  await database.pool.query(
    `INSERT INTO deposit (index, account_id, token_id, amount, sender, block_number)
     SELECT index, account_id, token_id, amount, decode(repeat('00', 20), 'hex'), 1
       FROM unnest($1::bigint[], $2::int[], $3::int[], $4::numeric[]) AS made (index, account_id, token_id, amount)`,
    [
      deposits.map(({ index }) => index),
      deposits.map(({ accountId }) => accountId),
      deposits.map(({ tokenId }) => tokenId),
      deposits.map(({ amount }) => String(amount)),
    ],
  );
}

const withKey = (batchSize: number) =>
  new Sequencer(store, { domain: DOMAIN, batchSize, operatorSecrets: [OPERATOR_SECRET] });

const all = () => made.flatMap(({ operations }) => operations);
const creations = () => all().filter(({ kind }) => kind === 'createAccount');

/** What the holders registered here: the same accounts, encrypted once more. */
const registeredHere = () =>
  creations().map((creation, index) => {
    if (creation.kind !== 'createAccount') throw new TypeError('is not a creation');
    const { blindingFactor, jointKey } = creation;
    return { ...creation, ciphertext: encrypt([blindingFactor], jointKey, BigInt(index + 1)) };
  });

async function expectAdopted({ event, batch, operations }: Made): Promise<void> {
  const row = await store.findBatch(event.height);
  expect(row).toMatchObject({ state: 'final', size: SIZE, ...event.at });
  expect(row?.roots).toMatchObject({ state: event.nextStateRoot, orders: event.ordersRoot });
  for (const account of batch.accounts)
    expect(await store.findAccount(account.id, event.height)).toMatchObject({ ...account });
  for (const [index, operation] of operations.entries()) {
    if (operation.kind === 'inboundTransfer' || operation.kind === 'credit') continue;
    const stored = await store.findOperation(operationHash(DOMAIN, operation));
    expect(stored).toMatchObject({ status: 'EXECUTED', batchHeight: event.height, batchIndex: index });
  }
}

/** All that a batch could change. */
async function snapshot(): Promise<string> {
  const { rows } = await database.pool.query<{ state: string }>(`
    SELECT md5(concat(
      (SELECT json_agg(o ORDER BY sequence) FROM operation o), (SELECT json_agg(a ORDER BY public_key) FROM account a),
      (SELECT json_agg(b ORDER BY height) FROM batch b), (SELECT json_agg(d ORDER BY index) FROM deposit d),
      (SELECT json_agg(h) FROM sequence_head h), (SELECT count(*) FROM tree_node),
      (SELECT json_agg(m ORDER BY total_index) FROM money_order m))) AS state`);
  return rows[0]!.state;
}

describe('batches of another operator', () => {
  it('are read from the chain with the key of the operator, and built upon', async () => {
    const sequencer = withKey(SIZE);
    await addDeposits(all());
    await acceptAll(creations());
    for (const one of made.slice(0, -1)) {
      await sequencer.adopt(one.event);
      await expectAdopted(one);
    }
    // The last one is not adopted: its operations come to this operator, which makes the same batch of them.
    const last = made.at(-1) as Made;
    await database.pool.query('DELETE FROM deposit WHERE batch_height IS NULL AND index >= $1', [
      last.batch.publicInputs.inboundTo,
    ]);
    await acceptAll(last.operations);
    while ((await sequencer.executePending()).executed > 0);
    const executed = await Promise.all(
      last.operations
        .filter(({ kind }) => kind !== 'inboundTransfer')
        .map((one) => store.findOperation(operationHash(DOMAIN, one as never))),
    );
    expect(executed.map((one) => one?.status)).toEqual(executed.map(() => 'EXECUTED'));
    await sequencer.sealOpenBatch();
    expect(await sequencer.assembleNext()).toBe(last.event.height);
  });

  it('are assembled from rows without the key, instead of the batches built from them here', async () => {
    const sequencer = new Sequencer(store, { domain: DOMAIN, batchSize: 3 });
    await addDeposits(all());
    await acceptAll(all());
    while ((await sequencer.executePending()).executed > 0);
    await sequencer.sealOpenBatch();
    while ((await sequencer.assembleNext()) !== undefined);
    for (const one of made) await sequencer.adopt(one.event);
    for (const one of made) await expectAdopted(one);
    expect((await sequencer.executePending()).executed).toBe(0);
  });

  it('are final at once, and not adopted twice', async () => {
    const sequencer = withKey(SIZE);
    await addDeposits(all());
    await acceptAll(creations());
    await sequencer.adopt(made[0]!.event);
    const before = await snapshot();
    await expect(sequencer.adopt(made[0]!.event)).rejects.toThrow(RollupStoreError);
    expect(await snapshot()).toBe(before);
  });

  it('give accounts to holders who register afterwards, with all that they did in them', async () => {
    const sequencer = withKey(SIZE);
    await addDeposits(all());
    for (const { event } of made) await sequencer.adopt(event);
    const accounts = creations().length;
    for (let id = 1; id <= accounts; id += 1) expect(await store.findAccount(id)).toBeUndefined();
    await acceptAll(creations());
    await sequencer.executePending();
    for (let id = 1; id <= accounts; id += 1)
      expect(await store.findAccount(id)).toMatchObject({ ...accountNow(id) });
    expect((await store.readHead()).nextAccountId).toBe(accounts + 1);
    for (const { operations } of made)
      for (const operation of operations)
        if (operation.kind !== 'inboundTransfer' && operation.kind !== 'credit')
          expect((await store.findOperation(operationHash(DOMAIN, operation)))?.status).toBe('EXECUTED');
    const { rows } = await database.pool.query('SELECT FROM opaque_place');
    expect(rows).toEqual([]);
  });
});

describe('accounts that were registered with both operators', () => {
  it.each(['before', 'after'])('are the same when they registered here %s the batches came', async (when) => {
    const sequencer = withKey(SIZE);
    await addDeposits(all());
    if (when === 'before') await acceptAll(registeredHere());
    for (const { event } of made) await sequencer.adopt(event);
    if (when === 'after') await acceptAll(registeredHere());
    await sequencer.executePending();
    const accounts = creations().length;
    for (let id = 1; id <= accounts; id += 1)
      expect(await store.findAccount(id)).toMatchObject({ ...accountNow(id) });
    expect((await store.readHead()).nextAccountId).toBe(accounts + 1);
    const { rows } = await database.pool.query('SELECT FROM opaque_place');
    expect(rows).toEqual([]);
  });
});

/** As the last batch that touches it leaves it. */
const accountNow = (id: number) =>
  made
    .map(({ batch }) => batch.accounts.find((account) => account.id === id))
    .findLast((account) => account !== undefined);

describe('batches as strangers may lawfully make them', () => {
  const BATCHES = 14;

  it.each([11, 12])('are all adopted, and others are served (seed %i)', async (seed) => {
    const rollup = new LawfulBatches(seededRandom(seed), SIZE);
    const sequencer = withKey(2);
    const batches = Array.from({ length: BATCHES }, () => rollup.next());
    await addDeposits(batches.flatMap(({ operations }) => operations));
    for (const { batch, operations } of batches) {
      const honest = new Set(rollup.honest.map(({ id }) => id));
      await acceptAll(operations.filter((one) => one.kind === 'createAccount' && honest.has(one.accountId)));
      await sequencer.adopt(eventOf(batch));
      const { height, nextStateRoot: state } = batch.publicInputs;
      expect(await store.findBatch(height)).toMatchObject({ state: 'final', roots: { state } });
      // Of an account either all is known, as it is, or nothing; and what an honest holder has is known.
      for (const account of batch.accounts) {
        const found = await store.findAccount(account.id, height);
        if (honest.has(account.id)) expect(found).toBeDefined();
        if (found !== undefined) expect(found).toMatchObject({ ...account });
      }
    }
    await expectServed(rollup, sequencer);
  });

  /** The operator makes the next batch, from what honest holders ask it to do. */
  async function expectServed(rollup: LawfulBatches, sequencer: Sequencer): Promise<void> {
    const [one, other] = rollup.honest.filter(({ id }) => rollup.state.account(id) !== undefined);
    const nonce = (id: number) => (rollup.state.account(id)?.nonce ?? 0) + 1;
    const operations = [one!.pay(other!, 0, 0n, nonce(one!.id)), other!.pay(one!, 1, 0n, nonce(other!.id))];
    await acceptAll(operations);
    expect(await sequencer.executePending()).toMatchObject({ executed: 2 });
    const next = rollup.state.next;
    expect(await sequencer.assembleNext()).toBe(next.height);
    const { publicInputs } = applyBatch(rollup.state, { ...next, domain: DOMAIN, size: 2 }, operations);
    const row = await store.findBatch(next.height);
    expect(row?.roots?.state).toBe(publicInputs.nextStateRoot);
  }

  it('have what their makers ask for afterwards refused', async () => {
    const rollup = new LawfulBatches(seededRandom(11), SIZE);
    const sequencer = withKey(2);
    const batches = Array.from({ length: BATCHES }, () => rollup.next());
    const operations = batches.flatMap((one) => one.operations);
    await addDeposits(operations);
    await acceptAll(operations.filter(({ kind }) => kind === 'createAccount'));
    for (const { batch } of batches.slice(0, -1)) await sequencer.adopt(eventOf(batch));
    const { rows } = await database.pool.query<{ account_id: number }>(
      'SELECT DISTINCT account_id FROM opaque_place JOIN account USING (account_id)',
    );
    const later = rows.map(({ account_id: fromAccountId }) => ({
      kind: 'outboundTransfer' as const,
      fromAccountId,
      toEthereumAddress: ZERO_ADDRESS,
      tokenId: 0,
      amount: 0n,
      nonce: 900,
      signature: (operations[0] as { signature: Signature }).signature,
    }));
    expect(later.length).toBeGreaterThan(0);
    await acceptAll(later);
    await sequencer.executePending();
    for (const one of later)
      expect(await store.findOperation(operationHash(DOMAIN, one))).toMatchObject({
        status: 'REJECTED',
        rejectionReason: 'ACCOUNT_NOT_FOUND',
      });
  });
});

describe('a batch that cannot be read', () => {
  const withHeaders = (event: FinalBatch, headers: readonly bigint[]) => ({ ...event, headers });

  it.each<[string, (event: FinalBatch) => FinalBatch, RegExp]>([
    [
      'leads to another root',
      (event) => ({ ...event, nextStateRoot: event.nextStateRoot + 1n }),
      /another state/,
    ],
    ['is not the next', (event) => ({ ...event, height: event.height + 1 }), /batch 2 comes before it/],
    ['does not touch what it touches', (event) => withHeaders(event, [0n, 0n, 0n, 0n]), /another state/],
  ])('changes nothing when it %s', async (_, change, said) => {
    const sequencer = withKey(SIZE);
    await addDeposits(all());
    await acceptAll(all());
    await sequencer.adopt(made[0]!.event);
    await sequencer.executePending();
    const before = await snapshot();
    const adopting = sequencer.adopt(change(made[1]!.event));
    await expect(adopting).rejects.toThrow(said);
    await expect(adopting).rejects.toThrow(UnreadableBatchError);
    expect(await snapshot()).toBe(before);
  });

  it('names what is missing: deposits, the key of the operator', async () => {
    const sequencer = new Sequencer(store, { domain: DOMAIN, batchSize: SIZE });
    await acceptAll(creations());
    const adoptAll = async () => {
      for (const { event } of made) await sequencer.adopt(event);
    };
    await expect(adoptAll()).rejects.toThrow('it takes a deposit that is not known here');
    await addDeposits(all());
    await expect(adoptAll()).rejects.toThrow(/is not among those accepted here.*--operator-key-file/);
  });
});
