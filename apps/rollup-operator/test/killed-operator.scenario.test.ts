import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { connectDatabase, type Database } from '@tetrad/db';
import { RollupCodec } from '@tetrad/rollup-chain';
import { operationHash, rollupDomain, totalIndex } from '@tetrad/rollup-crypto';
import type { RollupOperation } from '@tetrad/rollup-state';
import { openRollupStore, type RollupStore } from '@tetrad/rollup-store';
import {
  createTestDatabase,
  seededRandom,
  until,
  type ChildService,
  type TestDatabase,
} from '@tetrad/testkit';
import type { Address, Hex } from '@tetrad/types';
import {
  describeWithAnvil,
  startChain,
  type TestChain,
} from '../../../libs/rollup/chain/test/anvil-chain.js';
import { RollupUser, deposit, depositOrder } from '../../../libs/rollup/state/src/testing/rollup-user.js';
import { OperatorHome, SUBMITTER, type Deployed } from './operator-process.js';

/** Kills, each at a random point of the pipeline; `TETRAD_ROLLUP_KILLS=30` is the long form. */
const KILLS = Number(process.env['TETRAD_ROLLUP_KILLS'] ?? 2);
/** For what hangs; the long form takes as long as it takes. */
const TIMEOUT_MS = KILLS * 200_000;
const UNIT = 1_000_000_000n;
/** Two of each role over one database: one batcher works at a time, and the other one takes over. */
const PROCESSES = ['batcher 1', 'batcher 2', 'prover 1', 'prover 2'] as const;
type ProcessName = (typeof PROCESSES)[number];

describeWithAnvil('an operator whose processes are killed', () => {
  let chain: TestChain;
  let home: OperatorHome;
  let deployed: Deployed;
  let test: TestDatabase;
  let database: Database;
  let store: RollupStore;
  let codec: RollupCodec;
  let domain: bigint;
  let alice: RollupUser;
  const processes = new Map<ProcessName, ChildService>();
  const random = seededRandom(3);
  const recipient = '0x00000000000000000000000000000000000f00d5' as Address;

  beforeAll(async () => {
    chain = await startChain();
    await chain.send({ from: chain.accounts[0] as Address, to: SUBMITTER, value: 10n ** 18n });
    home = await OperatorHome.make(chain.url);
    deployed = await home.deploy(['--batch-sizes', '2']);
    test = await createTestDatabase('rollup-operator');
    database = await connectDatabase({ url: test.url, poolSize: 3 });
    store = openRollupStore(database);
    codec = new RollupCodec();
    domain = rollupDomain(BigInt(deployed.chainId), deployed.contract);
    const draw = () => BigInt(Math.floor(random() * 2 ** 48)) ** 5n;
    alice = new RollupUser(1, home.operatorKey, domain, draw);
    await Promise.all(PROCESSES.map(start));
  });

  afterAll(async () => {
    await Promise.all([...processes.values()].map((process) => process.stop()));
    await database?.close();
    await test?.drop();
    await home?.remove();
    await chain?.stop();
  });

  const start = async (name: ProcessName) => {
    const [roles = ''] = name.split(' ');
    processes.set(name, await home.start(deployed, { databaseUrl: test.url, roles }));
  };
  const accept = async (operation: RollupOperation) => {
    if (operation.kind === 'inboundTransfer' || operation.kind === 'credit')
      throw new TypeError('only what is signed is accepted');
    const hash = operationHash(domain, operation);
    await store.accept({ hash, operation });
    return hash;
  };
  const read = async (name: string) => {
    const call = { to: deployed.contract, data: codec.encodeCall(name, []) };
    return codec.decodeResult(name, await chain.ask<Hex>('eth_call', [call, 'latest']))[0] as unknown;
  };
  const finalUpTo = (height: number) =>
    until(async () => {
      await chain.ask('evm_mine');
      return (await store.finalHeight()) >= height;
    }, 200);
  /** Something of the pipeline moved on. */
  const progress = async () => {
    const { rows } = await database.pool.query<{ state: string }>(`
      SELECT concat((SELECT string_agg(state, ',' ORDER BY height) FROM batch), (SELECT count(*) FROM submission),
                    (SELECT count(*) FROM prover_queue.job), (SELECT max(number) FROM chain_block)) AS state`);
    return rows[0]!.state;
  };
  const afterSteps = async (count: number) => {
    for (let step = 0; step < count; step += 1) {
      const before = await progress();
      await until(async () => {
        await chain.ask('evm_mine');
        return (await progress()) !== before;
      }, 10);
    }
  };

  const oneOf = (role: 'batcher' | 'prover'): ProcessName => `${role} ${random() < 0.5 ? 1 : 2}`;
  /** At first both provers while one is at work: its batch must go to another process, once it is clear that it is gone. */
  const pointOfKill = async (kill: number): Promise<readonly ProcessName[]> => {
    if (kill > 0) {
      await afterSteps(1 + Math.floor(random() * 6));
      return [kill > 1 && random() < 0.4 ? oneOf('prover') : oneOf('batcher')];
    }
    await until(async () => {
      const { rowCount } = await database.pool.query("SELECT FROM lease WHERE name LIKE 'prove/%'");
      return rowCount !== 0;
    }, 10);
    return ['prover 1', 'prover 2'];
  };

  const losesNothing = async () => {
    await accept(alice.create());
    await finalUpTo(1);
    const call = { to: deployed.contract, data: codec.encodeCall('registerInboundTransferETH', [1]) };
    await chain.send({ from: chain.accounts[1] as Address, ...call, value: 1_000n * UNIT });
    await finalUpTo(2);
    await accept(alice.redeem(depositOrder(deposit(0, alice, 0, 1_000n)), totalIndex(2, 0), 1));
    const consent = { tokenId: 0, minimum: 1n, untilHeight: 1_000_000 };
    const hashes = [await accept(alice.setConsent(consent, 2))];
    for (let kill = 0; kill < KILLS; kill += 1) {
      hashes.push(await accept(alice.transferOut(recipient, 0, 1n, hashes.length + 2)));
      hashes.push(await accept(alice.payDirectly(alice, 0, 3n, hashes.length + 2)));
      const names = await pointOfKill(kill);
      await Promise.all(names.map((name) => processes.get(name)!.kill()));
      await Promise.all(names.map(start));
    }
    await until(async () => {
      await chain.ask('evm_mine');
      const found = await store.findOperation(hashes.at(-1) as bigint);
      return found?.batchHeight !== undefined && (await store.finalHeight()) >= found.batchHeight;
    }, 200);
    const found = await Promise.all(hashes.map((hash) => store.findOperation(hash)));
    expect(found.map((one) => one?.status)).toEqual(hashes.map(() => 'EXECUTED'));
    expect(BigInt(await chain.ask<Hex>('eth_getBalance', [recipient, 'latest']))).toBe(BigInt(KILLS) * UNIT);
    const all = { fromTotalIndex: 0, upToHeight: await store.finalHeight(), limit: 10 * KILLS };
    const credits = await store.listCredits({ toAccountId: alice.id, ...all });
    expect(credits.map(({ order }) => order.amount)).toEqual(Array<bigint>(KILLS).fill(3n));
    expect((await store.findAccount(alice.id))?.balances.get(0)).toBe(1_000n - BigInt(KILLS));
    const last = await store.findBatch(await store.finalHeight());
    expect([await read('height'), await read('stateRoot')]).toEqual([
      BigInt(last!.height),
      last!.roots!.state,
    ]);
  };

  it('loses nothing and does nothing twice, whenever that is', losesNothing, TIMEOUT_MS);
});
