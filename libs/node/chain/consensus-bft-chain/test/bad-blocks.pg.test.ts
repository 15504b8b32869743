import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { hashHeader } from '@tetrad/node-consensus-bft';
import { createTestDatabase, type TestDatabase } from '@tetrad/testkit';
import { parseHash, type Block } from '@tetrad/types';
import { openTestLedger, transfer, untilMined, type TestLedger } from './open-test-ledger.js';

let database: TestDatabase;
let chain: TestLedger;
beforeEach(async () => {
  database = await createTestDatabase('node');
  chain = await openTestLedger(database.url);
});
afterEach(async () => {
  await chain.close();
  await database.drop();
});

/** The block with another state than its transactions lead to; its header is in order, but for that. */
function withWrongState({ header, transactions }: Block, state: number): Block {
  const stateRoot = parseHash(`0x${state.toString(16).padStart(64, '0')}`);
  const wrong = { ...header, stateRoot, number: chain.ledger.head().header.number + 1 };
  const parented = { ...wrong, parentHash: chain.ledger.head().hash };
  return { hash: hashHeader(parented), header: parented, transactions };
}

describe('blocks that were refused', () => {
  it('are kept with the rule they broke, newest first, ten at most, and each once', async () => {
    const production = await chain.produce({ blockPeriodMs: 20 });
    await chain.pool.add(transfer(0, 0));
    await untilMined(chain);
    await production.stop();
    const { ledger } = chain;
    const empty = { ...ledger.head(), transactions: [] };
    const header = { ...empty.header, timestamp: empty.header.timestamp };
    expect(ledger.badBlocks.list()).toEqual([]);
    const refused: string[] = [];
    for (let state = 1; state <= 12; state++) {
      const block = withWrongState({ ...ledger.head(), header }, state);
      for (let attempt = 0; attempt < 2; attempt++)
        await expect(ledger.checkProposal(block)).rejects.toThrow();
      refused.unshift(block.hash);
    }
    const kept = ledger.badBlocks.list();
    expect(kept.map(({ block }) => block.hash)).toEqual(refused.slice(0, 10));
    for (const { reason } of kept) expect(reason).not.toBe('');
  });

  it('are not kept when their header is invalid too, as any peer can make such blocks', async () => {
    const { ledger } = chain;
    const head = ledger.head();
    const foreign = {
      ...head,
      header: { ...head.header, number: 7 },
      hash: parseHash(`0x${'77'.repeat(32)}`),
    };
    await expect(ledger.checkProposal(foreign)).rejects.toThrow();
    expect(ledger.badBlocks.list()).toEqual([]);
  });
});
