import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { connectDatabase, type Database } from '@tetrad/db';
import { RollupCodec } from '@tetrad/rollup-chain';
import { encodeWord, operationHash, rollupDomain, totalIndex } from '@tetrad/rollup-crypto';
import type { RollupOperation } from '@tetrad/rollup-state';
import { openRollupStore, type RollupStore } from '@tetrad/rollup-store';
import { createTestDatabase, seededRandom, until, type ChildService } from '@tetrad/testkit';
import { hexFromBytes, type Address, type Hex } from '@tetrad/types';
import { startProver } from '../../../libs/rollup/batcher/test/test-prover.js';
import {
  describeWithAnvil,
  startChain,
  type TestChain,
} from '../../../libs/rollup/chain/test/anvil-chain.js';
import { stateProofs } from '../../../libs/rollup/chain/test/stated-proofs.js';
import { RollupUser, deposit, depositOrder } from '../../../libs/rollup/state/src/testing/rollup-user.js';
import { OperatorHome, SUBMITTER, type Deployed } from './operator-process.js';

const UNIT = 1_000_000_000n;
const SIZE = 2;
const RECIPIENT = '0x00000000000000000000000000000000000f00d8' as Address;

/** The rows of an operator. */
interface Rows {
  readonly url: string;
  readonly database: Database;
  readonly store: RollupStore;
  remove(): Promise<void>;
}

async function openRows(): Promise<Rows> {
  const test = await createTestDatabase('rollup-operator');
  const database = await connectDatabase({ url: test.url, poolSize: 10 });
  const store = openRollupStore(database);
  const remove = async () => {
    await database.close();
    await test.drop();
  };
  return { url: test.url, database, store, remove };
}

/** All that follows from the chain. */
const RECORDS: Readonly<Record<string, string>> = {
  operations: `SELECT hash, kind, account_id, nonce, status, from_account_id, to_account_id, to_address, token_id, amount,
                      blinding_factor, public_key, joint_key, total_index, ciphertext, batch_height, batch_index,
                      is_direct, consent, until_height
                 FROM operation WHERE status = 'EXECUTED' ORDER BY batch_height, batch_index`,
  accounts: 'SELECT * FROM account ORDER BY public_key',
  versions: 'SELECT * FROM account_version ORDER BY account_id, batch_height',
  orders: 'SELECT * FROM money_order ORDER BY total_index',
  // Without the blinding factor of an order that is in no tree: the chain does not say it.
  credits: `SELECT total_index, batch_height, from_account_id, to_account_id, token_id, amount
              FROM credit ORDER BY total_index`,
  nodes: 'SELECT * FROM tree_node ORDER BY tree, level, index, batch_height',
  batches: `SELECT height, state, state_root, account_root, orders_root, transaction_hash, block_number, block_hash
              FROM batch ORDER BY height`,
  deposits: 'SELECT * FROM deposit ORDER BY index',
  tokens: 'SELECT * FROM token ORDER BY token_id',
};

const recordsOf = async ({ database }: Rows) =>
  Object.fromEntries(
    await Promise.all(
      Object.entries(RECORDS).map(async ([name, text]) => [name, (await database.pool.query(text)).rows]),
    ),
  ) as Readonly<Record<string, readonly unknown[]>>;

describeWithAnvil('an operator whose database is lost', () => {
  let chain: TestChain;
  let home: OperatorHome;
  let deployed: Deployed;
  let codec: RollupCodec;
  let domain: bigint;
  let [first, second]: (Rows | undefined)[] = [];
  let operator: Pick<ChildService, 'stop'> | undefined;

  beforeAll(async () => {
    chain = await startChain();
    await chain.send({ from: chain.accounts[0] as Address, to: SUBMITTER, value: 10n ** 18n });
    home = await OperatorHome.make(chain.url);
    deployed = await home.deploy(['--batch-sizes', String(SIZE)]);
    codec = new RollupCodec();
    const [verifier] = await read('verifiers', [SIZE]);
    await stateProofs(chain, verifier as Address);
    domain = rollupDomain(BigInt(deployed.chainId), deployed.contract);
    [first, second] = await Promise.all([openRows(), openRows()]);
  });
  afterAll(async () => {
    await operator?.stop();
    await Promise.all([first?.remove(), second?.remove()]);
    await home?.remove();
    await chain?.stop();
  });

  const accept = async ({ store }: Rows, operation: RollupOperation) => {
    if (operation.kind === 'inboundTransfer' || operation.kind === 'credit')
      throw new TypeError('only what is signed is accepted');
    await store.accept({ hash: operationHash(domain, operation), operation });
  };
  const finalUpTo = ({ store }: Rows, height: number) =>
    until(async () => {
      await chain.ask('evm_mine');
      return (await store.finalHeight()) >= height;
    }, 200);
  const read = async (name: string, values: readonly unknown[] = []) => {
    const call = { to: deployed.contract, data: codec.encodeCall(name, values) };
    return codec.decodeResult(name, await chain.ask<Hex>('eth_call', [call, 'latest']));
  };
  /** A process that serves and batches, and a prover in this one. */
  const start = async ({ url, store, database }: Rows): Promise<Pick<ChildService, 'stop'>> => {
    const child = await home.start(deployed, { databaseUrl: url, roles: 'api,batcher' });
    const prover = await startProver(store, database, SIZE);
    const stop = async () => {
      await prover.stop();
      await child.stop();
    };
    return { stop };
  };

  it('has it again from the chain and its key file, and goes on', async () => {
    const [lost, fresh] = [first as Rows, second as Rows];
    const random = seededRandom(5);
    const alice = new RollupUser(
      1,
      home.operatorKey,
      domain,
      () => BigInt(Math.floor(random() * 2 ** 48)) ** 5n,
    );
    operator = await start(lost);
    await accept(lost, alice.create(alice.creationWords));
    await finalUpTo(lost, 1);
    const call = { to: deployed.contract, data: codec.encodeCall('registerInboundTransferETH', [1]) };
    const pay = (units: bigint) =>
      chain.send({ from: chain.accounts[1] as Address, ...call, value: units * UNIT });
    await pay(100n);
    await finalUpTo(lost, 2);
    await accept(lost, alice.redeem(depositOrder(deposit(0, alice, 0, 100n)), totalIndex(2, 0), 1));
    await finalUpTo(lost, 3);
    // What is credited is on the chain as well, for who has the key.
    await accept(lost, alice.setConsent({ tokenId: 0, minimum: 1n, untilHeight: 1_000 }, 2));
    await finalUpTo(lost, 4);
    await accept(lost, alice.payDirectly(alice, 0, 5n, 3));
    await finalUpTo(lost, 5);
    await pay(50n);
    await finalUpTo(lost, 6);
    await operator.stop();

    const stateRoot = hexFromBytes(encodeWord((await read('stateRoot'))[0] as bigint));
    expect(await home.rebuild(deployed, fresh.url)).toEqual({
      height: 6,
      stateRoot,
      accounts: 1,
      opaqueAccounts: 0,
      closedConsents: 0,
      isSame: true,
    });
    const before = await recordsOf(lost);
    expect(await recordsOf(fresh)).toEqual(before);
    expect(before).toMatchObject({
      accounts: [expect.anything()],
      deposits: Array(2).fill(expect.anything()),
    });
    expect(before['credits']).toMatchObject([{ amount: '5' }, { amount: '50' }]);
    expect(before['orders']).toHaveLength(1);
    // Twice is once.
    expect(await home.rebuild(deployed, fresh.url)).toMatchObject({ height: 6, isSame: true });

    operator = await start(fresh);
    await accept(fresh, alice.transferOut(RECIPIENT, 0, 147n, 4));
    await finalUpTo(fresh, 7);
    expect(BigInt(await chain.ask<Hex>('eth_getBalance', [RECIPIENT, 'latest']))).toBe(147n * UNIT);
    expect((await fresh.store.findBatch(7))?.roots?.state).toBe((await read('stateRoot'))[0]);
    // A batcher at work has the rows for itself.
    await expect(home.rebuild(deployed, fresh.url)).rejects.toThrow('a batcher is at work on this database');
  });
});
