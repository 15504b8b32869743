import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { totalIndex } from '@tetrad/rollup-crypto';
import { FaultyProxy, until } from '@tetrad/testkit';
import type { Address, Hex } from '@tetrad/types';
import { describeWithAnvil, startChain, type TestChain } from '../../chain/test/anvil-chain.js';
import { deposit, depositOrder, type RollupUser } from '../../state/src/testing/rollup-user.js';
import { PROOFS } from './test-prover.js';
import { UNIT, openTestRollup, type TestBatcher, type TestRollup } from './test-rollup.js';

describeWithAnvil('the batcher', () => {
  let chain: TestChain;
  let rollup: TestRollup;
  let link: FaultyProxy;
  let batcher: TestBatcher;
  let prover: { stop(): Promise<void> };
  let alice: RollupUser;
  let payer: Address;
  const recipient = '0x00000000000000000000000000000000000f00d5' as Address;

  beforeAll(async () => {
    chain = await startChain();
    rollup = await openTestRollup(chain);
    link = await FaultyProxy.open({ port: () => Number(new URL(chain.url).port) });
    alice = rollup.user(1);
    payer = chain.accounts[1] as Address;
    batcher = await rollup.startBatcher(`http://127.0.0.1:${link.port}`);
    prover = await rollup.startProver();
  });

  afterAll(async () => {
    await rollup?.close();
    await link?.close();
    await chain?.stop();
  });

  const mine = () => chain.ask('evm_mine');
  /** A block now and then, as other chains have them. Every operation here waits for the one before, so it has a batch alone. */
  const final = (height: number) =>
    until(async () => {
      await mine();
      return rollup.isFinal(height);
    }, 200);
  const depositFor = (id: number, amount: bigint) =>
    chain.send({ from: payer, ...rollup.call('registerInboundTransferETH', [id]), value: amount * UNIT });
  const handOver = async (from: Address, to: Address) => {
    await chain.send({ from, ...rollup.call('proposeOperator', [to]) });
    await chain.send({ from: to, ...rollup.call('acceptOperator', []) });
  };
  const balance = async (address: Address) =>
    BigInt(await chain.ask<Hex>('eth_getBalance', [address, 'latest']));

  it('takes operations to a final batch, and deposits, orders and payments after them', async () => {
    await rollup.accept(alice.create());
    await final(1);
    await depositFor(1, 1_000n);
    await final(2);
    await rollup.accept(alice.redeem(depositOrder(deposit(0, alice, 0, 1_000n)), totalIndex(2, 0), 1));
    await final(3);
    await rollup.accept(alice.transferOut(recipient, 0, 30n, 2));
    await final(4);
    expect(await balance(recipient)).toBe(30n * UNIT);
    const row = await rollup.store.findBatch(4);
    expect(await rollup.read('stateRoot')).toBe(row!.roots!.state);
    const [sent] = await rollup.store.listSubmissions(4);
    expect([sent!.state, sent!.transactionHash]).toEqual(['included', row!.transactionHash]);
    expect((await rollup.store.listTokens()).map(({ unit }) => unit)).toEqual([UNIT]);
    expect(batcher.running.problem).toBeUndefined();
  });

  it('continues when the chain was unavailable while a batch was proved', async () => {
    link.set({ kind: 'cut' });
    await rollup.accept(alice.transferOut(recipient, 0, 1n, 3));
    await until(async () => (await rollup.store.findBatch(5))?.state === 'proven', 100);
    await until(() => /^(follow|submit): /.test(batcher.running.problem ?? ''));
    link.heal();
    await final(5);
    expect(await balance(recipient)).toBe(31n * UNIT);
    await until(() => batcher.running.problem === undefined);
  });

  it('lets one of two batchers work, and the other one when that is gone', async () => {
    const other = await rollup.startBatcher();
    await rollup.accept(alice.transferOut(recipient, 0, 1n, 4));
    await final(6);
    expect([batcher.isHolder(), other.isHolder()]).toEqual([true, false]);
    await batcher.stop();
    await rollup.accept(alice.transferOut(recipient, 0, 1n, 5));
    await final(7);
    expect(other.isHolder()).toBe(true);
    expect(await balance(recipient)).toBe(33n * UNIT);
    const sent = await Promise.all([6, 7].map((height) => rollup.store.listSubmissions(height)));
    expect(sent.map(({ length }) => length)).toEqual([1, 1]);
  });

  it('submits again what a reorganisation took from the chain', async () => {
    await chain.ask('evm_setAutomine', [false]);
    const before = await chain.ask<Hex>('evm_snapshot');
    await rollup.accept(alice.transferOut(recipient, 0, 1n, 6));
    await until(async () => (await rollup.store.listSubmissions(8)).length > 0, 100);
    await until(async () => {
      await mine();
      return (await rollup.read('height')) === 8n;
    }, 200);
    const [first] = await rollup.store.listSubmissions(8);
    // The block with the batch is gone before it had a successor, and the transaction with it.
    expect(await rollup.isFinal(8)).toBe(false);
    await chain.ask('evm_revert', [before]);
    expect(await rollup.read('height')).toBe(7n);
    await chain.ask('evm_setAutomine', [true]);
    await final(8);
    expect(await rollup.read('height')).toBe(8n);
    expect(await balance(recipient)).toBe(34n * UNIT);
    expect(
      (await rollup.store.listSubmissions(8)).some(
        ({ transactionHash }) => transactionHash === first!.transactionHash,
      ),
    ).toBe(true);
  });

  it('sends batches behind the next one before that is mined, and a block takes all of them', async () => {
    await chain.ask('evm_setAutomine', [false]);
    const heights = [9, 10, 11];
    for (const height of heights) {
      await rollup.accept(alice.transferOut(recipient, 0, 1n, height - 2));
      await until(async () => (await rollup.store.listSubmissions(height)).length > 0, 100);
    }
    expect(await rollup.read('height')).toBe(8n);
    const sent = (await Promise.all(heights.map((height) => rollup.store.listSubmissions(height)))).flat();
    expect(sent.map(({ nonce }) => nonce - sent[0]!.nonce)).toEqual([0, 1, 2]);
    await mine();
    expect(await rollup.read('height')).toBe(11n);
    const receipts = await Promise.all(
      sent.map(({ transactionHash }) =>
        chain.ask<{ blockNumber: Hex; status: Hex }>('eth_getTransactionReceipt', [transactionHash]),
      ),
    );
    expect(new Set(receipts.map(({ status }) => status))).toEqual(new Set(['0x1']));
    expect(new Set(receipts.map(({ blockNumber }) => blockNumber)).size).toBe(1);
    await chain.ask('evm_setAutomine', [true]);
    await final(11);
    expect(await balance(recipient)).toBe(37n * UNIT);
  });

  it('sends all of them again when the first is lost', async () => {
    await chain.ask('evm_setAutomine', [false]);
    const heights = [12, 13];
    for (const height of heights) {
      await rollup.accept(alice.transferOut(recipient, 0, 1n, height - 2));
      await until(async () => (await rollup.store.listSubmissions(height)).length > 0, 100);
    }
    await chain.ask('anvil_dropAllTransactions');
    await chain.ask('evm_setAutomine', [true]);
    await final(13);
    expect(await balance(recipient)).toBe(39n * UNIT);
  });

  it('names the error of the contract that refuses a batch, and continues once it does not', async () => {
    const other = chain.accounts[2] as Address;
    const own = rollup.account.address;
    await chain.ask('anvil_impersonateAccount', [own]);
    await handOver(own, other);
    await rollup.accept(alice.transferOut(recipient, 0, 1n, 12));
    await until(async () => (await rollup.store.findBatch(14))?.failure === 'NotOperator', 100);
    expect(await rollup.read('height')).toBe(13n);
    await handOver(other, own);
    await final(14);
    expect((await rollup.store.findBatch(14))?.failure).toBeUndefined();
    expect(await balance(recipient)).toBe(40n * UNIT);
  });

  it('proves a batch again when the contract does not take its proof', async () => {
    await prover.stop();
    prover = await rollup.startProver(PROOFS);
    await chain.ask('anvil_setBalance', [rollup.account.address, '0xde0b6b3a7640000']);
    // Before there is a batch, so that no prover is quicker. The reason is gone once the batch is proved again: it is recorded.
    await rollup.database.pool.query(`
      CREATE TABLE refused (height bigint, failure text);
      CREATE FUNCTION spoil() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN NEW.proof := set_byte(NEW.proof, 100, get_byte(NEW.proof, 100) # 1); RETURN NEW; END $$;
      CREATE FUNCTION note_failure() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN INSERT INTO refused VALUES (NEW.height, NEW.failure); RETURN NEW; END $$;
      CREATE TRIGGER spoil BEFORE UPDATE OF proof ON batch FOR EACH ROW
        WHEN (OLD.proof IS NULL AND NEW.proof IS NOT NULL) EXECUTE FUNCTION spoil();
      CREATE TRIGGER note_failure BEFORE UPDATE OF failure ON batch FOR EACH ROW
        WHEN (NEW.failure IS NOT NULL) EXECUTE FUNCTION note_failure()`);
    await rollup.accept(alice.transferOut(recipient, 0, 1n, 13));
    await final(15);
    const { rows } = await rollup.database.pool.query('SELECT height, failure FROM refused');
    expect(rows).toEqual([{ height: 15, failure: 'InvalidProof' }]);
    expect(await balance(recipient)).toBe(41n * UNIT);
  });
});
