import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { connectDatabase, type Database } from '@tetrad/db';
import { operationHash } from '@tetrad/rollup-crypto';
import { findProvenAccount } from '@tetrad/rollup-operations';
import { rootOfPath } from '@tetrad/rollup-state';
import { Sequencer } from '@tetrad/rollup-sequencer';
import { openRollupStore, type RollupStore } from '@tetrad/rollup-store';
import { createTestDatabase, seededRandom, type TestDatabase } from '@tetrad/testkit';
import { ZERO_ADDRESS, hashFromBytes } from '@tetrad/types';
import { DOMAIN, RandomRollup } from '../../state/src/testing/random-rollup.js';
import { Pruner } from '../src/index.js';

const BATCHES = 40;
const KEEP = 3;

describe('pruning', () => {
  let testDatabase: TestDatabase;
  let database: Database;
  let store: RollupStore;
  let accountCount = 0;

  beforeAll(async () => {
    testDatabase = await createTestDatabase('rollup-operator');
    database = await connectDatabase({ url: testDatabase.url });
    store = openRollupStore(database);
    const sequencer = new Sequencer(store, { domain: DOMAIN, batchSize: 4 });
    const rollup = new RandomRollup(seededRandom(17), 4);
    for (let height = 1; height <= BATCHES; height += 1)
      await rollup.step(async (_, operations) => {
        for (const operation of operations) {
          if (operation.kind === 'inboundTransfer') {
            const deposits = [{ ...operation, sender: ZERO_ADDRESS, blockNumber: height }];
            const block = { number: height, hash: hashFromBytes(new Uint8Array(32).fill(height)) };
            await store.advanceChain({ tokens: [], requests: [], deposits }, [block]);
          } else if (operation.kind !== 'credit')
            await store.accept({ hash: operationHash(DOMAIN, operation), operation });
          await sequencer.executePending();
        }
        await sequencer.sealOpenBatch();
        await sequencer.assembleNext();
      });
    accountCount = (await store.readHead()).nextAccountId - 1;
  });
  afterAll(async () => {
    await database?.close();
    await testDatabase?.drop();
  });

  const count = async (table: string, condition = 'true') => {
    const { rows } = await database.pool.query<{ count: number }>(
      `SELECT count(*)::int FROM ${table} WHERE ${condition}`,
    );
    return rows[0]!.count;
  };
  const finalize = (height: number) => store.changeBatch({ height, from: 'sealed' }, { state: 'final' });
  /** Every account at the height leads to the state root of its batch. */
  const expectProofs = async (height: number) => {
    const root = (await store.findBatch(height))?.roots?.state;
    for (let id = 1; id <= accountCount; id += 1) {
      const proven = await findProvenAccount({ ...store, finalHeight: async () => height }, id);
      if (proven !== undefined) expect(rootOfPath(proven.leaf, id, proven.path)).toBe(root);
    }
  };

  it('touches nothing before enough batches are final', async () => {
    const before = [await count('tree_node'), await count('account_version')];
    for (let height = 1; height < KEEP; height += 1) await finalize(height);
    expect(await new Pruner(store, KEEP).step()).toBe(false);
    expect([await count('tree_node'), await count('account_version')]).toEqual(before);
  });

  it('keeps proofs at the last final batches and above, and nothing that they do not need', async () => {
    for (let height = KEEP; height <= BATCHES - 2; height += 1) await finalize(height);
    const pruner = new Pruner(store, KEEP);
    let steps = 1;
    while (await pruner.step()) steps += 1;
    expect(steps).toBeGreaterThan(1);
    for (let height = BATCHES - 2 - KEEP + 1; height <= BATCHES; height += 1) await expectProofs(height);
    const oldest = BATCHES - 2 - KEEP + 1;
    const versions = await count('account_version', `batch_height <= ${oldest}`);
    expect(versions).toBeLessThanOrEqual(accountCount);
    const leaves = await count('tree_node', `tree = 1 AND level = 0 AND batch_height <= ${oldest}`);
    expect(leaves).toBeLessThanOrEqual(accountCount);
    expect(await count('tree_node', `level = 28 AND tree = 1 AND batch_height <= ${oldest}`)).toBe(1);
  });

  it('does it once more without harm, as after a restart', async () => {
    const before = [await count('tree_node'), await count('account_version')];
    const again = new Pruner(store, KEEP);
    while (await again.step());
    expect([await count('tree_node'), await count('account_version')]).toEqual(before);
  });
});
