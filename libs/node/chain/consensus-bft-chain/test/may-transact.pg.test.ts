import { afterEach, describe, expect, it } from '@jest/globals';
import { createTestDatabase, type TestDatabase } from '@tetrad/testkit';
import type { MayTransact } from '@tetrad/node-execution';
import {
  OWNERS,
  openTestLedger,
  testGenesis,
  transfer,
  untilMined,
  type TestLedger,
  type TestLedgerOptions,
} from './open-test-ledger.js';

const genesis = testGenesis();
const chains: TestLedger[] = [];
const databases: TestDatabase[] = [];
afterEach(async () => {
  for (const chain of chains.splice(0)) await chain.close();
  for (const database of databases.splice(0)) await database.drop();
});

async function open(
  mayTransact?: MayTransact,
  more: Pick<TestLedgerOptions, 'submissionBarrier'> = {},
): Promise<TestLedger> {
  const database = await createTestDatabase('node');
  databases.push(database);
  const chain = await openTestLedger(database.url, {
    genesis,
    ...(mayTransact === undefined ? {} : { mayTransact }),
    ...more,
  });
  chains.push(chain);
  return chain;
}

const barrier = { reason: 'NO_ACCESS', message: 'account does not have permission for the transaction' };
const refused = { code: barrier.reason, message: barrier.message };

describe('a sender without permission to transact', () => {
  it('is refused by the pool', async () => {
    const chain = await open(({ sender }) => (sender === OWNERS[0]?.address ? barrier : undefined));
    await expect(chain.pool.add(transfer(0, 0))).rejects.toMatchObject(refused);
    await expect(chain.pool.addRemote(transfer(0, 0))).rejects.toMatchObject(refused);
    expect(await chain.pool.add(transfer(1, 0))).toBe(transfer(1, 0).hash);
  });

  it('through this node is refused before anything else, and may come from another one, also to replace', async () => {
    const notHere = { reason: 'NODE_NOT_PERMITTED', message: 'cannot send transaction from this node' };
    const chain = await open(undefined, {
      submissionBarrier: (sender) => (sender === OWNERS[0]?.address ? notHere : undefined),
    });
    await chain.pool.addRemote(transfer(0, 0));
    await expect(chain.pool.add(transfer(0, 0))).rejects.toMatchObject({
      code: notHere.reason,
      message: notHere.message,
    });
    await chain.pool.addRemote(transfer(0, 0, { gasPrice: 2n }));
    expect(chain.pool.transactionAt(transfer(0, 0).sender, 0n)?.hash).toBe(
      transfer(0, 0, { gasPrice: 2n }).hash,
    );
    expect(await chain.pool.add(transfer(1, 0))).toBe(transfer(1, 0).hash);
  });

  it('is left out of blocks and dropped from the pool when its permission is revoked', async () => {
    let isRestricted = false;
    const seen: (number | bigint)[] = [];
    const chain = await open(async ({ sender }, { block }) => {
      seen.push(block.number);
      return isRestricted && sender === OWNERS[0]?.address ? barrier : undefined;
    });
    await chain.pool.add(transfer(0, 0));
    await chain.pool.add(transfer(1, 0));
    isRestricted = true;
    const production = await chain.produce();
    await untilMined(chain);
    await production.stop();
    expect(await chain.ledger.findTransaction(transfer(0, 0).hash)).toBeUndefined();
    expect(await chain.ledger.findTransaction(transfer(1, 0).hash)).toBeDefined();
    expect(seen[0]).toBe(1);
    expect(await chain.store.journal.load()).toEqual([]);
  });

  it('makes a foreign block invalid, of which nothing is stored', async () => {
    const producer = await open();
    await producer.pool.add(transfer(0, 0));
    const production = await producer.produce();
    await untilMined(producer);
    await production.stop();
    const follower = await open(() => barrier);
    for (let number = 1; ; number++) {
      const block = await producer.ledger.findBlock(number);
      if (block === undefined) throw new Error('no block has the transaction');
      const importing = follower.ledger.importBlock(block);
      if (block.transactions.length === 0) await importing;
      else {
        const { hash } = transfer(0, 0);
        await expect(importing).rejects.toThrow(`could not apply tx 0 [${hash}]: ${barrier.message}`);
        expect(follower.ledger.head().header.number).toBe(number - 1);
        break;
      }
    }
  });
});
