import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { ContractFollower, DeepReorganisationError, EthereumClient } from '@tetrad/rollup-chain';
import { until } from '@tetrad/testkit';
import { silentLogger, type Address } from '@tetrad/types';
import { describeWithAnvil, startChain, type TestChain } from '../../chain/test/anvil-chain.js';
import { ContractPages, ForeignBatchError } from '../src/index.js';
import { UNIT, openTestRollup, type TestRollup } from './test-rollup.js';

describeWithAnvil('following the contract', () => {
  let chain: TestChain;
  let rollup: TestRollup;
  let client: EthereumClient;
  let payer: Address;

  beforeAll(async () => {
    chain = await startChain();
    rollup = await openTestRollup(chain);
    client = new EthereumClient({ url: chain.url });
    payer = chain.accounts[1] as Address;
    // One batch creates the accounts that deposits are for.
    const [batcher, prover] = [await rollup.startBatcher(), await rollup.startProver()];
    await rollup.accept(rollup.user(1).create());
    await until(async () => {
      await chain.ask('evm_mine');
      return rollup.isFinal(1);
    }, 200);
    await Promise.all([batcher.stop(), prover.stop()]);
  });

  afterAll(async () => {
    await client?.close();
    await rollup?.close();
    await chain?.stop();
  });

  const follower = (confirmations: number) =>
    new ContractFollower(client, rollup.codec, new ContractPages({ ...rollup, logger: silentLogger }), {
      contract: rollup.contract,
      firstBlock: 0,
      confirmations,
    });
  const follow = async (confirmations = 0) => {
    const following = follower(confirmations);
    while (await following.step());
  };
  const deposit = (amount: bigint) =>
    chain.send({ from: payer, ...rollup.call('registerInboundTransferETH', [1]), value: amount * UNIT });
  const deposits = async () => {
    const { rows } = await rollup.database.pool.query('SELECT index, amount FROM deposit ORDER BY index');
    return rows.map(({ index, amount }) => [index, amount]);
  };

  it('takes what has enough successors, and the same page as often as it comes', async () => {
    await deposit(5n);
    await follow(1);
    expect(await deposits()).toEqual([]);
    await chain.ask('evm_mine');
    await follow(1);
    expect(await deposits()).toEqual([[0, '5']]);
    await rollup.database.pool.query('DELETE FROM chain_block');
    await follow(1);
    expect(await deposits()).toEqual([[0, '5']]);
    expect(await follower(1).step()).toBe(false);
  });

  it('reverts events removed by a reorganisation, with the batch that was built on them', async () => {
    await follow();
    const before = await chain.ask('evm_snapshot');
    await deposit(7n);
    await chain.ask('evm_mine');
    await follow();
    expect(await deposits()).toEqual([
      [0, '5'],
      [1, '7'],
    ]);
    const { nextInbound } = await rollup.store.readHead();
    const batcher = await rollup.startBatcher();
    await until(async () => (await rollup.store.readHead()).nextInbound > nextInbound + 1);
    await batcher.stop();
    await chain.ask('evm_revert', [before]);
    await chain.ask('anvil_setNextBlockTimestamp', [Math.floor(Date.now() / 1000) + 100]);
    await deposit(8n);
    await chain.ask('anvil_mine', ['0x4']);
    await follow();
    expect(await deposits()).toEqual([
      [0, '5'],
      [1, '8'],
    ]);
    expect((await rollup.store.readHead()).nextInbound).toBe(0);
  });

  it('stops by name when a final batch is gone, and changes nothing', async () => {
    const number = (await rollup.store.listChainBlocks(1))[0]?.number;
    const final = await rollup.store.findBatch(1);
    await rollup.database.pool.query('UPDATE chain_block SET hash = sha256(hash) WHERE number >= $1', [
      final!.blockNumber,
    ]);
    await expect(follow()).rejects.toThrow(DeepReorganisationError);
    expect((await rollup.store.listChainBlocks(1))[0]?.number).toBe(number);
    expect(await deposits()).toEqual([
      [0, '5'],
      [1, '8'],
    ]);
  });

  it('takes over a batch that is not the one of its rows, also when it leads to the same state', async () => {
    const root = await rollup.read('stateRootAt', [1]);
    const { pool } = rollup.database;
    const final = await rollup.store.findBatch(1);
    await pool.query("UPDATE batch SET state = 'proven' WHERE height = 1");
    await rollup.store.rewindChain(0);
    await follow();
    expect(await rollup.store.findBatch(1)).toMatchObject({
      state: 'final',
      roots: { state: root },
      transactionHash: final?.transactionHash,
    });
    expect((await rollup.store.readHead()).nextAccountId).toBe(2);
    expect(await rollup.store.findAccount(1)).toMatchObject({ nonce: 0 });
  });

  it('stops by name when another batch is final here', async () => {
    const { pool } = rollup.database;
    await pool.query('UPDATE batch SET transaction_hash = sha256(transaction_hash) WHERE height = 1');
    await rollup.store.rewindChain(0);
    await expect(follow()).rejects.toThrow(ForeignBatchError);
    await expect(follow()).rejects.toThrow(/which it holds for final/);
  });
});
