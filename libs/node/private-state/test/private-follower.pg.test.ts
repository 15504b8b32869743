import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { connectDatabase, type Database } from '@tetrad/db';
import { bftChainRules } from '@tetrad/node-consensus-bft-chain';
import { StateDatabase, createExecutor, decodeTransaction, parseGenesis } from '@tetrad/node-execution';
import { ChainFollower } from '../src/follower/chain-follower.js';
import { openLedger, type Ledger } from '@tetrad/node-ledger';
import { openLedgerStore, type LedgerStore } from '@tetrad/node-store';
import { createTestDatabase, until, type TestDatabase } from '@tetrad/testkit';
import { silentLogger, silentMetrics, systemClock, type Block, type Hash } from '@tetrad/types';
import {
  PrivateFollowing,
  privacySwitches,
  type PayloadAnswer,
  type PayloadHash,
  type PayloadSource,
} from '../src/index.js';
import {
  CHAIN_ID,
  NO_SHARED_STATES,
  genesisFile,
  recordedBlocks,
  recordedManager,
  recording,
} from './recorded-chain.js';

/** A manager that can be unavailable. */
class Manager implements PayloadSource {
  isUnavailable = false;

  constructor(private readonly recorded: PayloadSource) {}

  async find(hash: PayloadHash): Promise<PayloadAnswer> {
    if (this.isUnavailable) return { kind: 'unavailable', reason: 'transaction manager unavailable' };
    return this.recorded.find(hash);
  }
}

const quiet = { logger: silentLogger, metrics: silentMetrics };

/** A node's chain and private state over one database. */
async function openNode(url: string, name: string, manager: PayloadSource) {
  const genesis = parseGenesis(genesisFile(name));
  const database: Database = await connectDatabase({ url });
  const store: LedgerStore = await openLedgerStore(database);
  const executor = createExecutor(genesis);
  const rules = bftChainRules(genesis);
  const clock = { ...systemClock, now: () => 4_000_000_000_000 };
  const ledger: Ledger = (await openLedger({ genesis, rules, store, executor, clock, ...quiet })) as Ledger;
  const following = new PrivateFollowing({
    replay: async (block) => {
      const { context, world } = await ledger.replay(block);
      return {
        context: executor.context(context),
        world: world.evm,
        execute: (transaction) => executor.executeTransaction(context, transaction, world),
      };
    },
    countLogs: async (block) =>
      (await ledger.listReceipts(block)).reduce((sum, { receipt }) => sum + receipt.logs.length, 0),
    states: new StateDatabase({ source: store.privateState, metrics: silentMetrics, name: 'private ' }),
    store: store.privateState,
    payloads: manager,
    sharedStates: NO_SHARED_STATES,
    switchesAt: privacySwitches(genesis),
    decode: (raw) => decodeTransaction(raw, CHAIN_ID),
    chainId: CHAIN_ID,
  });
  const follower = await ChainFollower.open({
    ...{ name: 'private state', chain: ledger, following, ...quiet },
    clock: systemClock,
    retryMs: 20,
  });
  const close = async () => {
    await follower.stop();
    await store.close();
    await database.close();
  };
  return { ledger, following, follower, store, close };
}

describe.each([
  ['private', 0],
  ['marker', 1],
] as const)('private state that follows the chain “%s” in a database, as node %i', (name, node) => {
  let testDatabase: TestDatabase;
  let blocks: Block[];
  let running: Awaited<ReturnType<typeof openNode>>;
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
    running = await openNode(testDatabase.url, name, manager);
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
    running = await openNode(testDatabase.url, name, manager);
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
    }
  });
});
