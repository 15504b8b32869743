import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { FaultyProxy, until } from '@tetrad/testkit';
import type { Address } from '@tetrad/types';
import { describeWithAnvil, startChain, type TestChain } from '../../chain/test/anvil-chain.js';
import type { RollupUser } from '../../state/src/testing/rollup-user.js';
import { UNIT, deployTurns, openTestRollup, type TestRollup } from './test-rollup.js';

const TIMEOUT = 3600;

/** What the batcher makes of the contract's turns (docs/adr/0215). */
describeWithAnvil('a batcher whose turn it is not', () => {
  let chain: TestChain;
  let rollup: TestRollup;
  let link: FaultyProxy;
  let alice: RollupUser;
  let payer: Address;

  beforeAll(async () => {
    chain = await startChain();
    rollup = await openTestRollup(chain, deployTurns);
    link = await FaultyProxy.open({ port: () => Number(new URL(chain.url).port) });
    alice = rollup.user(1);
    payer = chain.accounts[1] as Address;
    await rollup.startBatcher(`http://127.0.0.1:${link.port}`);
    await rollup.startProver();
    await rollup.accept(alice.create());
    await final(1);
  });

  afterAll(async () => {
    await rollup?.close();
    await link?.close();
    await chain?.stop();
  });

  const final = (height: number) =>
    until(async () => {
      await chain.ask('evm_mine');
      return rollup.isFinal(height);
    }, 200);
  const failure = async (height: number) => (await rollup.store.findBatch(height))?.failure;

  it('makes a batch again that leaves an overdue deposit, and takes the deposit first', async () => {
    link.set({ kind: 'cut' });
    await rollup.accept(rollup.user(2).create());
    await until(async () => (await rollup.store.findBatch(2))?.state === 'proven', 100);
    const deposit = rollup.call('registerInboundTransferETH', [1]);
    await chain.send({ from: payer, ...deposit, value: 5n * UNIT });
    await chain.passTime(TIMEOUT);
    link.heal();
    await final(2);
    expect(await rollup.read('nextDeposit')).toBe(1n);
    await until(async () => {
      await chain.ask('evm_mine');
      return (await rollup.read('nextAccountId')) === 3n;
    }, 200);
  });

  it('waits for its turn while a request is overdue, and continues', async () => {
    const request = [1, '0x00000000000000000000000000000000000000a1', 0, 77] as const;
    await chain.send({ from: payer, ...rollup.call('requestOutboundTransfer', request) });
    await chain.passTime(TIMEOUT * 1.25);
    await chain.ask('anvil_mine', ['0x20']);
    const { openHeight: first } = await rollup.store.readHead();
    await rollup.accept(rollup.user(3).create());
    await until(async () => (await rollup.read('height')) === BigInt(first), 200);
    await rollup.accept(rollup.user(4).create());
    const second = first + 1;
    await until(async () => (await failure(second)) === 'TooEarly', 200);
    expect(await rollup.read('height')).toBe(BigInt(first));
    await final(second);
    expect(await failure(second)).toBeUndefined();
    expect(await rollup.read('nextAccountId')).toBe(5n);
  });

  it('leaves requests for tokens that there cannot be, which are free of charge', async () => {
    const request = (tokenId: number) =>
      rollup.call('requestOutboundTransfer', [1, '0x00000000000000000000000000000000000000a2', tokenId, 78]);
    for (const tokenId of [2 ** 32 - 1, 0]) await chain.send({ from: payer, ...request(tokenId) });
    const stored = async () => {
      const { rows } = await rollup.database.pool.query('SELECT token_id AS id FROM outbound_request');
      return rows.map(({ id }) => id as number);
    };
    await until(async () => {
      await chain.ask('evm_mine');
      return (await stored()).length === 2;
    }, 200);
    expect(await stored()).toEqual([0, 0]);
  });
});
