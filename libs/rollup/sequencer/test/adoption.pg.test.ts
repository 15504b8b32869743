import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { connectDatabase, type Database } from '@tetrad/db';
import { publishedBatch } from '@tetrad/rollup-contracts';
import { operationHash } from '@tetrad/rollup-crypto';
import type { Batch, InboundTransfer, RecoverableBatch, RollupOperation } from '@tetrad/rollup-state';
import { openRollupStore, type RollupStore } from '@tetrad/rollup-store';
import { createTestDatabase, seededRandom, type TestDatabase } from '@tetrad/testkit';
import { ZERO_ADDRESS, hashFromBytes } from '@tetrad/types';
import { DOMAIN, RandomRollup } from '../../state/src/testing/random-rollup.js';
import { Sequencer, UnreadableBatchError } from '../src/index.js';

/** Of the operator of `RandomRollup`. */
const OPERATOR_SECRET = 23n;
const SIZE = 4;

/** A batch of another operator, and what it was made of. */
interface Made {
  readonly batch: Batch;
  readonly event: RecoverableBatch;
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
  await store?.close();
  await database?.close();
  await testDatabase?.drop();
});
beforeEach(async () => {
  await database.pool.query(
    `TRUNCATE operation, account, account_version, money_order, batch, tree_node, deposit, chain_block, token;
     UPDATE sequence_head SET next_account_id = 1, open_height = 1, open_index = 0, next_inbound = 0,
            assembled_height = 0, version = version + 1`,
  );
});

async function makeBatches(count: number): Promise<Made[]> {
  const rollup = new RandomRollup(seededRandom(41), SIZE);
  const batches: Made[] = [];
  for (let height = 1; height <= count; height += 1)
    await rollup.step(async (batch, operations) => {
      batches.push({ batch, event: eventOf(batch), operations: executedOf(batch, operations) });
    });
  return batches;
}

function eventOf({ publicInputs, ciphertexts }: Batch): RecoverableBatch {
  return { height: publicInputs.height, ...publishedBatch(publicInputs, ciphertexts) };
}

const executedOf = ({ results }: Batch, operations: readonly RollupOperation[]) =>
  operations.filter((_, place) => results[place]?.status === 'EXECUTED');

async function acceptAll(operations: readonly RollupOperation[]): Promise<void> {
  for (const operation of operations)
    if (operation.kind !== 'inboundTransfer')
      await store.accept({ hash: operationHash(DOMAIN, operation), operation });
}

async function addDeposits(operations: readonly RollupOperation[]): Promise<void> {
  const deposits = operations
    .filter((one): one is InboundTransfer => one.kind === 'inboundTransfer')
    .map(({ index, accountId, tokenId, amount }) => ({
      ...{ index, accountId, tokenId, amount, sender: ZERO_ADDRESS, blockNumber: 1 },
    }));
  const block = { number: 1, hash: hashFromBytes(new Uint8Array(32).fill(1)) };
  await store.advanceChain({ tokens: [], requests: [], deposits }, [block]);
}

const all = () => made.flatMap(({ operations }) => operations);
const creations = () => all().filter(({ kind }) => kind === 'createAccount');

async function expectAdopted({ event, batch, operations }: Made): Promise<void> {
  const row = await store.findBatch(event.height);
  expect(row).toMatchObject({ state: 'sealed', size: SIZE, operations: operations.length });
  expect(row?.roots).toMatchObject({ state: event.nextStateRoot, orders: event.ordersRoot });
  for (const account of batch.accounts)
    expect(await store.findAccount(account.id, event.height)).toMatchObject({ ...account });
  for (const [index, operation] of operations.entries()) {
    if (operation.kind === 'inboundTransfer') continue;
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
    const sequencer = new Sequencer(store, {
      ...{ domain: DOMAIN, batchSize: SIZE, operatorSecret: OPERATOR_SECRET },
    });
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

  it('are put together from rows without the key, in the place of what was made of them here', async () => {
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

  it('are adopted twice as once', async () => {
    const sequencer = new Sequencer(store, {
      ...{ domain: DOMAIN, batchSize: SIZE, operatorSecret: OPERATOR_SECRET },
    });
    await addDeposits(all());
    await acceptAll(creations());
    for (const one of made.slice(0, 4)) {
      await sequencer.adopt(one.event);
      await sequencer.adopt(one.event);
      await expectAdopted(one);
    }
  });
});

describe('a batch that cannot be read', () => {
  const withHeaders = (event: RecoverableBatch, headers: readonly bigint[]) => ({ ...event, headers });

  it.each<[string, (event: RecoverableBatch) => RecoverableBatch, RegExp]>([
    [
      'leads to another root',
      (event) => ({ ...event, nextStateRoot: event.nextStateRoot + 1n }),
      /another state/,
    ],
    ['is not the next', (event) => ({ ...event, height: event.height + 1 }), /batch 2 comes before it/],
    ['has a hole', (event) => withHeaders(event, [0n, ...event.headers.slice(1)]), /do not stand together/],
    ['is empty', (event) => withHeaders(event, [0n, 0n, 0n, 0n]), /do not stand together/],
  ])('changes nothing when it %s', async (_, change, said) => {
    const sequencer = new Sequencer(store, {
      ...{ domain: DOMAIN, batchSize: SIZE, operatorSecret: OPERATOR_SECRET },
    });
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

  it('names what is missing: deposits, keys of accounts, the key of the operator', async () => {
    const sequencer = new Sequencer(store, { domain: DOMAIN, batchSize: SIZE });
    await expect(sequencer.adopt(made[0]!.event)).rejects.toThrow(
      /creates account 1, whose keys nobody has registered here/,
    );
    await acceptAll(creations());
    const adoptAll = async () => {
      for (const { event } of made) await sequencer.adopt(event);
    };
    await expect(adoptAll()).rejects.toThrow('it takes a deposit that is not known here');
    await addDeposits(all());
    await expect(adoptAll()).rejects.toThrow(/is not among those accepted here.*--operator-key-file/);
    const wrong = new Sequencer(store, { domain: DOMAIN, batchSize: SIZE, operatorSecret: 24n });
    const withWrongKey = async () => {
      for (const { event } of made) await wrong.adopt(event);
    };
    await expect(withWrongKey()).rejects.toThrow(/does not open an operation|cannot be executed/);
  });
});
