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
import { startProver } from '../../../libs/rollup/batcher/test/test-prover.js';
import {
  describeWithAnvil,
  startChain,
  type TestChain,
} from '../../../libs/rollup/chain/test/anvil-chain.js';
import { stateProofs } from '../../../libs/rollup/chain/test/stated-proofs.js';
import { RollupUser, deposit, depositOrder } from '../../../libs/rollup/state/src/testing/rollup-user.js';
import { OperatorHome, SUBMITTER, type Deployed } from './operator-process.js';

/** For what hangs: starts of processes took minutes beside thirty busy processes. */
const TIMEOUT_MS = 1_800_000;
const UNIT = 1_000_000_000n;
const SIZE = 2;
const RECIPIENT = '0x00000000000000000000000000000000000f00d7' as Address;

/** One of two operators of the same contract, with a separate database, a process that batches, and a prover in this one. */
class Operator {
  private readonly parts = new Map<string, Pick<ChildService, 'stop'>>();

  private constructor(
    private readonly startBatcher: (databaseUrl: string) => Promise<ChildService>,
    private readonly test: TestDatabase,
    private readonly database: Database,
    readonly store: RollupStore,
  ) {}

  static async make(startBatcher: Operator['startBatcher']): Promise<Operator> {
    const test = await createTestDatabase('rollup-operator');
    const database = await connectDatabase({ url: test.url, poolSize: 10 });
    return new Operator(startBatcher, test, database, openRollupStore(database));
  }

  async start(role: 'batcher' | 'prover'): Promise<void> {
    const { store, database, test } = this;
    const part = role === 'batcher' ? this.startBatcher(test.url) : startProver(store, database, SIZE);
    this.parts.set(role, await part);
  }

  async stop(role: string): Promise<void> {
    await this.parts.get(role)?.stop();
    this.parts.delete(role);
  }

  async remove(): Promise<void> {
    await Promise.all([...this.parts.keys()].map((role) => this.stop(role)));
    await this.database.close();
    await this.test.drop();
  }
}

describeWithAnvil('two operators of one contract, each with its own rows', () => {
  let chain: TestChain;
  let home: OperatorHome;
  let deployed: Deployed;
  let codec: RollupCodec;
  let domain: bigint;
  let alice: RollupUser;
  let [first, second]: (Operator | undefined)[] = [];

  beforeAll(async () => {
    chain = await startChain();
    await chain.send({ from: chain.accounts[0] as Address, to: SUBMITTER, value: 10n ** 18n });
    home = await OperatorHome.make(chain.url);
    deployed = await home.deploy(['--batch-sizes', String(SIZE)]);
    codec = new RollupCodec();
    await stateProofs(chain, (await read('verifiers', [SIZE])) as Address);
    domain = rollupDomain(BigInt(deployed.chainId), deployed.contract);
    const random = seededRandom(5);
    const draw = () => BigInt(Math.floor(random() * 2 ** 48)) ** 5n;
    alice = new RollupUser(1, home.operatorKey, domain, draw);
    const start = (databaseUrl: string) => home.start(deployed, { databaseUrl, roles: 'batcher' });
    [first, second] = await Promise.all([Operator.make(start), Operator.make(start)]);
  });

  afterAll(async () => {
    await Promise.all([first?.remove(), second?.remove()]);
    await home?.remove();
    await chain?.stop();
  });

  const accept = async ({ store }: Operator, operation: RollupOperation) => {
    if (operation.kind === 'inboundTransfer' || operation.kind === 'credit')
      throw new TypeError('only what is signed is accepted');
    const hash = operationHash(domain, operation);
    await store.accept({ hash, operation });
    return hash;
  };
  const finalUpTo = (height: number, ...operators: readonly Operator[]) =>
    until(async () => {
      await chain.ask('evm_mine');
      const heights = await Promise.all(operators.map(({ store }) => store.finalHeight()));
      return heights.every((one) => one >= height);
    }, 200);
  const statesOf = async (hash: bigint) =>
    Promise.all(
      [first, second].map(async (one) => {
        const found = await one?.store.findOperation(hash);
        return found && [found.status, found.batchHeight ?? found.rejectionReason];
      }),
    );
  const read = async (name: string, values: readonly unknown[] = []) => {
    const call = { to: deployed.contract, data: codec.encodeCall(name, values) };
    return codec.decodeResult(name, await chain.ask<Hex>('eth_call', [call, 'latest']))[0] as unknown;
  };
  /** What the operators and the contract hold for the latest state. */
  const latest = async (height: number) => {
    const rows = await Promise.all([first, second].map((one) => one?.store.findBatch(height)));
    return [await read('stateRoot'), ...rows.map((row) => row?.state === 'final' && row.roots?.state)];
  };

  it(
    'take over each other’s batches, give up what these rule out, and come to one state',
    async () => {
      const [one, other] = [first as Operator, second as Operator];
      await accept(one, alice.create());
      await accept(other, alice.create());
      await Promise.all([one.start('batcher'), one.start('prover'), other.start('batcher')]);
      await finalUpTo(1, one, other);
      const call = { to: deployed.contract, data: codec.encodeCall('registerInboundTransferETH', [1]) };
      await chain.send({ from: chain.accounts[1] as Address, ...call, value: 100n * UNIT });
      await finalUpTo(2, one, other);

      // Only one of them gets the request; the other one reads the operation with the operator's key.
      const order = depositOrder(deposit(0, alice, 0, 100n));
      const redemption = await accept(one, alice.redeem(order, totalIndex(2, 0), 1));
      await finalUpTo(3, one, other);
      expect(await statesOf(redemption)).toEqual([
        ['EXECUTED', 3],
        ['EXECUTED', 3],
      ]);

      // Each makes a batch 4, and only that of the other one is proved.
      await one.stop('prover');
      const lost = await accept(one, alice.transferOut(RECIPIENT, 0, 5n, 2));
      const later = await accept(one, alice.transferOut(RECIPIENT, 0, 7n, 3));
      await until(async () => (await one.store.findOperation(later))?.status === 'EXECUTED');
      const taken = await accept(other, alice.transferOut(RECIPIENT, 0, 1n, 2));
      await other.start('prover');
      await finalUpTo(4, one, other);
      expect(await statesOf(taken)).toEqual([
        ['EXECUTED', 4],
        ['EXECUTED', 4],
      ]);
      expect(await latest(4)).toEqual(new Array(3).fill(await read('stateRoot')));

      await one.start('prover');
      await finalUpTo(5, one, other);
      expect(await statesOf(lost)).toEqual([['REJECTED', 'NONCE_TOO_LOW'], undefined]);
      expect(await statesOf(later)).toEqual([
        ['EXECUTED', 5],
        ['EXECUTED', 5],
      ]);
      expect(await latest(5)).toEqual(new Array(3).fill(await read('stateRoot')));
      expect(await read('height')).toBe(5n);
      expect(BigInt(await chain.ask<Hex>('eth_getBalance', [RECIPIENT, 'latest']))).toBe(8n * UNIT);
    },
    TIMEOUT_MS,
  );
});
