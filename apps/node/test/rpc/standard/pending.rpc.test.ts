import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { AbiCoder } from 'ethers/abi';
import { startNode, type RunningNode } from '../../running-node.js';

const RECIPIENT = `0x${'cd'.repeat(20)}`;
/** Keeps 42 in its first slot, and answers with what is there. */
const RUNTIME = '602a60005560005460005260206000f3';
const ANSWERS_42 = `0x6f${RUNTIME}60005260106010f3`;
const uint = (value: string) => AbiCoder.defaultAbiCoder().decode(['uint256'], value)[0] as bigint;

/** A validator, and a node that only follows: neither mines, since the first block is due in an hour. */
describe.each([
  ['a validator', ['--block-period', '1h']],
  ['a follower', ['--validator', 'false']],
])('the pending state of %s', (_what, flags) => {
  let node: RunningNode;
  beforeAll(async () => {
    node = await startNode(flags);
  });
  afterAll(() => node.stop());

  const owner = () => node.accounts[0] as string;
  const at = (block: string) => node.result<string>('eth_getBalance', [RECIPIENT, block]);
  const send = (transaction: object) =>
    node.result<string>('eth_sendTransaction', [{ from: owner(), gas: '0x186a0', ...transaction }]);

  it('includes acknowledged transactions of the pool at once, unlike the head', async () => {
    for (let value = 1; value <= 5; value++) {
      await send({ to: RECIPIENT, value: '0x1' });
      expect(Number(await at('pending'))).toBe(value);
    }
    expect(await at('latest')).toBe('0x0');
    expect(await node.result('eth_getTransactionCount', [owner(), 'pending'])).toBe('0x5');
    expect(await node.result('eth_blockNumber')).toMatch(/^0x[01]$/);
  });

  it('is used by calls at `pending` and estimates without a tag', async () => {
    const nonce = await node.result<string>('eth_getTransactionCount', [owner(), 'pending']);
    await send({ data: ANSWERS_42, nonce });
    const { getCreateAddress } = await import('ethers');
    const to = getCreateAddress({ from: owner(), nonce: Number(nonce) }).toLowerCase();
    expect(uint(await node.result('eth_call', [{ to }, 'pending']))).toBe(42n);
    expect(await node.result('eth_call', [{ to }, 'latest'])).toBe('0x');
    expect(await node.result('eth_getCode', [to, 'pending'])).toBe(`0x${RUNTIME}`);
    const estimate = { from: owner(), to, data: '0x01' };
    const onPool = Number(await node.result('eth_estimateGas', [estimate]));
    const onHead = Number(await node.result('eth_estimateGas', [estimate, 'latest']));
    expect(onPool).toBeGreaterThan(onHead);
    expect(onPool).toBe(Number(await node.result('eth_estimateGas', [estimate, 'pending'])));
  });

  it('follows a replacement, and leaves what cannot run in the pool', async () => {
    const from = node.accounts[1] as string;
    const nonce = '0x0';
    await node.result('eth_sendTransaction', [{ from, to: RECIPIENT, value: '0x10', gas: '0x5208', nonce }]);
    expect(Number(await at('pending'))).toBe(0x10 + 5);
    await node.result('eth_sendTransaction', [
      { from, to: RECIPIENT, value: '0x20', gas: '0x5208', nonce, gasPrice: '0x1' },
    ]);
    expect(Number(await at('pending'))).toBe(0x20 + 5);
    // Behind a gap: it waits, and so it is in no pending state.
    await node.result('eth_sendTransaction', [
      { from, to: RECIPIENT, value: '0x40', gas: '0x5208', nonce: '0x9' },
    ]);
    expect(Number(await at('pending'))).toBe(0x20 + 5);
    expect(await node.result('txpool_status')).toEqual({ pending: '0x7', queued: '0x1' });
  });

  it('has the number of the block above the head for calls on it', async () => {
    const head = Number(await node.result('eth_blockNumber'));
    const number = { [RECIPIENT]: { code: '0x4360005260206000f3' } };
    const seen = await node.result<string>('eth_call', [{ to: RECIPIENT }, 'pending', number]);
    expect(Number(seen)).toBe(head + 1);
  });
});
