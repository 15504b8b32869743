import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createTestDatabase, type TestDatabase } from '@tetrad/testkit';
import { systemClock, type Block, type Clock } from '@tetrad/types';
import { openTestLedger, type TestLedger } from './open-test-ledger.js';
import { recordedBlocks, recordedGenesis } from './recorded-chains.js';

/** The time at which the chain's next block is expected, whatever today is. */
class ChainClock implements Clock {
  private ms = 0;

  at({ header }: Block): void {
    this.ms = Number(header.timestamp) * 1000;
  }

  now(): number {
    return this.ms;
  }

  schedule(delayMs: number, task: () => void): () => void {
    return systemClock.schedule(delayMs, task);
  }
}

describe.each(['qbft', 'istanbul'])('the %s chain of a GoQuorum, imported', (name) => {
  const clock = new ChainClock();
  let database: TestDatabase;
  let chain: TestLedger;
  beforeAll(async () => {
    database = await createTestDatabase('node');
    chain = await openTestLedger(database.url, { genesis: recordedGenesis(name), clock });
  });
  afterAll(async () => {
    await chain?.close();
    await database?.drop();
  });

  it('gives the state root, receipt root, bloom and gas of every header', async () => {
    const [zero, ...blocks] = (await recordedBlocks(name)).map(({ block }) => block);
    expect(chain.ledger.head().hash).toBe(zero?.hash);
    for (const block of blocks) {
      clock.at(block);
      // Fails where what execution gives is not what the header commits to.
      await chain.ledger.importBlock(block);
      expect(chain.ledger.head().hash).toBe(block.hash);
    }
  });

  it('passes the verification of a stored chain', async () => {
    expect(await chain.ledger.verifyFromGenesis()).toBe(chain.ledger.head().header.number);
  });
});
