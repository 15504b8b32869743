import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { until } from '@tetrad/testkit';
import type { Address } from '@tetrad/types';
import { describeWithAnvil, startChain, type TestChain } from '../../chain/test/anvil-chain.js';
import { UNIT, openTestRollup, type TestBatcher, type TestRollup } from './test-rollup.js';

const TIMEOUT = 3_600;

/** No prover works at first, so that no batch is made and a caller can announce a freeze. */
describeWithAnvil('a batcher that no batch is made for', () => {
  let chain: TestChain;
  let rollup: TestRollup;
  let batcher: TestBatcher;
  let payer: Address;

  beforeAll(async () => {
    chain = await startChain();
    rollup = await openTestRollup(chain, undefined, TIMEOUT);
    payer = chain.accounts[1] as Address;
    const prover = await rollup.startProver();
    batcher = await rollup.startBatcher();
    await rollup.accept(rollup.user(1).create());
    await until(async () => {
      await chain.ask('evm_mine');
      return rollup.isFinal(1);
    });
    await prover.stop();
    const deposit = { from: payer, ...rollup.call('registerInboundTransferETH', [1]), value: UNIT };
    await chain.send(deposit);
    await chain.send(deposit);
  });
  afterAll(async () => {
    await rollup?.close();
    await chain?.stop();
  });

  const problemIs = (text: string) =>
    until(async () => {
      await chain.ask('evm_mine');
      return batcher.running.problem?.includes(text) === true;
    });

  it('says by when what waits is overdue, and names a freeze as soon as it is announced', async () => {
    await chain.passTime((TIMEOUT * 3) / 4 + 60);
    await problemIs('deadline: in ');
    // Each deposit is announced by itself.
    await chain.send({ from: payer, ...rollup.call('announceByDeposit', [1]) });
    await problemIs('anyone may freeze the contract by deposit 1');
    await chain.passTime(TIMEOUT / 4 + 60);
    await problemIs('announced: now anyone may freeze the contract by deposit 1');
    // The holder of the lease looks for who it was.
    await problemIs(`; ${payer} (transaction 0x`);
    expect(await rollup.read('frozen')).toBe(false);
  });

  it('has no problem any more once a batch has taken what was announced', async () => {
    const prover = await rollup.startProver();
    await until(async () => {
      await chain.ask('evm_mine');
      return (await rollup.isFinal(2)) && batcher.running.problem === undefined;
    });
    expect(await rollup.read('nextDeposit')).toBe(2n);
    expect(await rollup.read('frozen')).toBe(false);
    await prover.stop();
  });

  it('says who froze the contract, and who had announced it', async () => {
    const holder = chain.accounts[2] as Address;
    await chain.send({ from: payer, ...rollup.call('registerInboundTransferETH', [1]), value: UNIT });
    await chain.passTime(TIMEOUT);
    await chain.send({ from: holder, ...rollup.call('announceByDeposit', [2]) });
    await chain.passTime(TIMEOUT / 4 + 60);
    await chain.send({ from: payer, ...rollup.call('freezeByDeposit', [2]) });
    await problemIs('frozen: no batch is taken any more');
    await problemIs(`; ${payer} (transaction 0x`);
    expect(batcher.running.problem).toContain(`froze it by deposit 2, which ${holder} (transaction 0x`);
  });
});
