import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { reasonOf, startNode, type RunningNode } from '../../running-node.js';

const RECIPIENT = `0x${'ab'.repeat(20)}`;

/** Init code that never ends. */
const ENDLESS = '0x5b600056';

let node: RunningNode;
/** A callback receiver that takes its time, so that an asynchronous send stays under way. */
let receiver: Server;
let answerCallbacks: () => void = () => undefined;

beforeAll(async () => {
  node = await startNode([
    '--pool-max-transactions',
    '3',
    '--pool-max-per-account',
    '2',
    '--pool-max-transaction-bytes',
    '1000',
    '--rpc-max-async-sends',
    '1',
    '--callback-allow-private',
    '--rpc-gas-cap',
    '1000000',
    '--rpc-execution-timeout',
    '60s',
    // Nothing is mined: what a test put into the pool stays there.
    '--validator',
    'false',
  ]);
  const held = new Promise<void>((done) => (answerCallbacks = done));
  receiver = createServer((request, response) => {
    request.resume();
    void held.then(() => response.end());
  });
  await new Promise<void>((listening) => receiver.listen(0, '127.0.0.1', listening));
});
afterAll(async () => {
  answerCallbacks();
  await node.stop();
  receiver.closeAllConnections();
  receiver.close();
});

const send = (from: string | undefined, members: Record<string, unknown> = {}) =>
  node.call('eth_sendTransaction', [{ from, to: RECIPIENT, gas: '0x5208', ...members }]);

describe('limits of a node', () => {
  it('refuse a transaction that is too large', async () => {
    const data = `0x${'00'.repeat(1000)}`;
    expect(reasonOf(await send(node.accounts[0], { data, gas: '0xffff' }))).toBe('OVERSIZED_DATA');
  });

  it('refuse more transactions of an account than may wait, then more than the pool holds', async () => {
    const [first, second, third] = node.accounts;
    const outcomes = [];
    for (const from of [first, first, first, second, third]) outcomes.push(reasonOf(await send(from)));
    expect(outcomes).toEqual([undefined, undefined, 'ACCOUNT_LIMIT_EXCEEDED', undefined, 'POOL_FULL']);
  });

  it('refuse to estimate a call that needs more gas than allowed', async () => {
    const endless = { from: node.accounts[0], data: ENDLESS };
    expect(await node.call('eth_estimateGas', [endless])).toMatchObject({
      error: { message: 'gas required exceeds allowance (1000000)' },
    });
    expect(reasonOf(await node.call('eth_fillTransaction', [endless]))).toBe(
      'GAS_REQUIRED_EXCEEDS_ALLOWANCE',
    );
  });

  it('refuse an asynchronous send while the limit of running ones is reached', async () => {
    const { port } = receiver.address() as AddressInfo;
    const request = { from: node.accounts[0], to: RECIPIENT, callbackUrl: `http://127.0.0.1:${port}/` };
    const send = async () => reasonOf(await node.call('eth_sendTransactionAsync', [request]));
    // The first is answered at once, and is under way until its receiver has answered.
    expect([await send(), await send()]).toEqual([undefined, 'TOO_MANY_CONCURRENT_REQUESTS']);
  });
});
