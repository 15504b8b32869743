import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createTestDatabase, until, type TestDatabase } from '@tetrad/testkit';
import type { Block, Hash } from '@tetrad/types';
import type { PayloadAnswer, PayloadHash, PayloadSource } from '../src/index.js';
import { openFollowingNode, type FollowingNode } from './following-node.js';
import { recordedBlocks, recordedManager, recording } from './recorded-chain.js';

/** A manager that can be unavailable. */
class Manager implements PayloadSource {
  isUnavailable = false;

  constructor(private readonly recorded: PayloadSource) {}

  async find(hash: PayloadHash): Promise<PayloadAnswer> {
    if (this.isUnavailable) return { kind: 'unavailable', reason: 'transaction manager unavailable' };
    return this.recorded.find(hash);
  }
}

describe.each([
  ['private', 0],
  ['marker', 1],
] as const)('private state that follows the chain “%s” in a database, as node %i', (name, node) => {
  let testDatabase: TestDatabase;
  let blocks: Block[];
  let running: FollowingNode;
  const { steps, blocks: recorded } = recording(name);
  const manager = new Manager(recordedManager(steps, node));
  const half = Math.floor(recorded.length / 2);

  const importUpTo = async (number: number) => {
    for (const block of blocks.slice(running.ledger.head().header.number + 1, number + 1)) {
      await running.ledger.importBlock(block);
    }
  };
  const rootsUpTo = async (number: number): Promise<Hash[]> =>
    Promise.all(recorded.slice(0, number + 1).map((block) => running.following.rootAt(block.number)));
  const expectedUpTo = (number: number) =>
    recorded.slice(0, number + 1).map(({ privateRoots }) => privateRoots[node]);

  beforeAll(async () => {
    blocks = await recordedBlocks(name);
    testDatabase = await createTestDatabase('node');
    running = await openFollowingNode(testDatabase.url, name, manager);
  });
  afterAll(async () => {
    await running?.close();
    await testDatabase?.drop();
  });

  it('has the recorded private root after every block', async () => {
    await importUpTo(half);
    expect(await running.follower.waitFor(half, 120_000)).toBe('followed');
    expect(await rootsUpTo(half)).toEqual(expectedUpTo(half));
  });

  it('pauses where the manager is unavailable, and the chain continues', async () => {
    manager.isUnavailable = true;
    const last = recorded.length - 1;
    await importUpTo(last);
    expect(running.ledger.head().header.number).toBe(last);
    await until(() => running.follower.pause !== undefined);
    expect(running.follower.pause?.reason).toContain('transaction manager unavailable (transaction 0x');
    expect(await running.follower.waitFor(last, 120_000)).toBe('paused');
    expect(await running.following.rootAt(last)).toBe(expectedUpTo(half).at(-1));
  });

  it('continues after a restart once the manager is back, with each block followed once', async () => {
    await running.close();
    running = await openFollowingNode(testDatabase.url, name, manager);
    await until(() => running.follower.pause !== undefined);
    manager.isUnavailable = false;
    const last = recorded.length - 1;
    await until(() => running.follower.head === last);
    expect(await rootsUpTo(last)).toEqual(expectedUpTo(last));
    const mined = steps.filter(
      ({ hash, manager: asked }) => hash !== undefined && asked?.[node]?.status === 200,
    );
    expect(mined.length).toBeGreaterThan(5);
    for (const { hash, receipts, private: own } of mined) {
      const theirs = own?.[node]?.receipt.result ?? receipts?.[node];
      const stored = await running.store.privateState.findReceipt(hash as Hash);
      if (stored === undefined) continue;
      expect([hash, `0x${stored.status}`, stored.logCount]).toEqual([
        hash,
        theirs?.status,
        theirs?.logs.length,
      ]);
      const { effects, contractAddress } = stored;
      expect(effects?.gasUsed).toBeGreaterThan(0n);
      if (contractAddress !== undefined) expect(effects?.entered).toContain(contractAddress);
    }
  });
});
