import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { developmentAccounts, presign, type DevelopmentAccount } from '@tetrad/testkit';
import { ZERO_ADDRESS, hexFromBytes, silentLogger, type LogValues } from '@tetrad/types';
import { CHAIN_ID, reasonOf, startNode, type RunningNode } from '../../running-node.js';

/** Eight places: six for senders without balance, two for what waits behind gaps. */
const FLAGS = ['--pool-max-transactions', '8', '--pool-max-per-account', '4'];
const RECIPIENT = `0x${'ab'.repeat(20)}`;
const STRANGERS = developmentAccounts(8, 'stranger');

let node: RunningNode;
const dropped: LogValues[] = [];

beforeAll(async () => {
  const warn = (message: string, values: LogValues = {}) => {
    if (message === 'transaction dropped from the pool') dropped.push(values);
  };
  // Nothing is mined: what a test put into the pool stays there.
  const logger = { ...silentLogger, warn, child: () => logger };
  node = await startNode([...FLAGS, '--validator', 'false'], { logger });
});
afterAll(() => node.stop());

const rawOf = ({ privateKey }: DevelopmentAccount, nonce: number, gasPrice = 0n) =>
  hexFromBytes(
    presign(
      {
        chainId: BigInt(CHAIN_ID),
        gasLimit: 21_000,
        to: ZERO_ADDRESS,
        value: 0n,
        gasPrice,
        nonce,
        data: new Uint8Array(0),
      },
      privateKey,
    ),
  );
/** The hash of what was taken, or why it was not. */
async function send(sender: DevelopmentAccount | undefined, nonce: number): Promise<unknown> {
  const answer = await node.call('eth_sendRawTransaction', [rawOf(sender as DevelopmentAccount, nonce)]);
  return answer.result ?? reasonOf(answer);
}
const status = async () => {
  const { pending, queued } = await node.result<{ pending: string; queued: string }>('txpool_status');
  return [Number(pending), Number(queued)];
};

describe('a pool that is full', () => {
  it('keeps room for others than senders without balance', async () => {
    expect(await send(STRANGERS[0], 5)).toMatch(/^0x/);
    for (const index of [1, 2, 3, 4, 5]) expect(await send(STRANGERS[index], 0)).toMatch(/^0x/);
    expect(await status()).toEqual([5, 1]);
    // A mineable transaction evicts one that waits behind a gap; for the next one no other can be evicted.
    expect(await send(STRANGERS[6], 0)).toMatch(/^0x/);
    expect(await send(STRANGERS[7], 0)).toBe('POOL_FULL');
    expect(await send(STRANGERS[7], 5)).toBe('POOL_FULL');
    expect(await status()).toEqual([6, 0]);
    expect(dropped).toMatchObject([
      { sender: STRANGERS[0]?.address, nonce: '5', reason: 'the pool is full' },
    ]);
  });

  it('accepts those of funded senders and of its own accounts, and logs the evicted ones', async () => {
    const [first, second, third] = node.owners;
    for (const sender of [first, second, third]) expect(await send(sender, 0)).toMatch(/^0x/);
    const from = node.accounts[0];
    await node.result('eth_sendTransaction', [{ from, to: RECIPIENT, gas: '0x5208', gasPrice: '0x0' }]);
    expect(await status()).toEqual([8, 0]);
    const gone = dropped.slice(1);
    expect(gone).toHaveLength(2);
    for (const { hash, sender } of gone) {
      expect(STRANGERS.map(({ address }) => address)).toContain(sender);
      expect(await node.result('eth_getTransactionByHash', [hash])).toBeNull();
    }
    const metrics = await (await fetch(`${node.opsUrl}/metrics`)).text();
    expect(metrics).toMatch(/node_pool_dropped_transactions_total\{cause="full",acknowledged="true".*\} 3\n/);
  });

  it('evicts no mineable transaction for a sender of the same standing', async () => {
    for (const sender of node.owners) await send(sender, sender === node.owners[3] ? 0 : 1);
    expect(await status()).toEqual([8, 0]);
    expect(new Set(dropped.map(({ sender }) => sender)).size).toBe(dropped.length);
    expect(await send(node.owners[0], 2)).toBe('POOL_FULL');
    expect(await send(STRANGERS[7], 0)).toBe('POOL_FULL');
    for (const sender of node.owners)
      expect(dropped.map((one) => one['sender'])).not.toContain(sender.address);
  });
});
