import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { WebSocket } from 'ws';
import {
  validateExecutionApiNotification,
  validateExecutionApiResult,
} from '../../../../../libs/api/node/test/execution-api/validate-result.js';
import type { RunningNode } from '../../running-node.js';
import { startTokenChain, type TokenChain } from '../../token-chain.js';

interface Message {
  readonly id?: number;
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly data?: { readonly reason: string } };
  readonly params?: { readonly subscription: string; readonly result: unknown };
}

/** A WebSocket client that keeps every message and can wait for one. */
class Client {
  private readonly messages: Message[] = [];
  private notify: () => void = () => undefined;

  private constructor(private readonly socket: WebSocket) {
    socket.on('message', (data: Buffer) => {
      this.messages.push(JSON.parse(data.toString()) as Message);
      this.notify();
    });
  }

  static async connect(url: string): Promise<Client> {
    const socket = new WebSocket(url);
    await new Promise((done, fail) => socket.once('open', done).once('error', fail));
    return new Client(socket);
  }

  async call(id: number, method: string, params: readonly unknown[]): Promise<Message> {
    this.socket.send(JSON.stringify({ jsonrpc: '2.0', id, method, params }));
    return this.waitFor((message) => message.id === id);
  }

  async waitFor(wanted: (message: Message) => boolean): Promise<Message> {
    for (;;) {
      const found = this.messages.find(wanted);
      if (found !== undefined) return found;
      await new Promise<void>((done) => (this.notify = done));
    }
  }

  count(wanted: (message: Message) => boolean): number {
    return this.messages.filter(wanted).length;
  }

  close(): void {
    this.socket.close();
  }
}

let chain: TokenChain;
let node: RunningNode;
let client: Client;
beforeAll(async () => {
  chain = await startTokenChain(['--rpc-max-subscriptions', '4']);
  node = chain.node;
  client = await Client.connect(node.webSocketUrl);
});
afterAll(async () => {
  client.close();
  await node.stop();
});

const from = (id: unknown) => (message: Message) => message.params?.subscription === id;

describe('subscriptions', () => {
  it('push heads, logs and pending transactions, and end when unsubscribed', async () => {
    const { token, abi, holder, owner } = chain;
    const heads = (await client.call(1, 'eth_subscribe', ['newHeads'])).result;
    const logs = (await client.call(2, 'eth_subscribe', ['logs', { address: token }])).result;
    const hashes = (await client.call(3, 'eth_subscribe', ['newPendingTransactions'])).result;
    const whole = (await client.call(4, 'eth_subscribe', ['newPendingTransactions', true])).result;
    validateExecutionApiResult('eth_subscribe', heads);

    const data = abi.encodeFunctionData('transfer', [holder, 3n]);
    const hash = await node.result<string>('eth_sendTransaction', [
      { from: owner, to: token, data, gas: '0x186a0' },
    ]);
    const head = (await client.waitFor(from(heads))).params?.result;
    validateExecutionApiNotification('newHeads', head);
    const log = (await client.waitFor(from(logs))).params?.result;
    validateExecutionApiNotification('logs', log);
    expect(log).toMatchObject({ address: token, transactionHash: hash });
    expect((await client.waitFor(from(hashes))).params?.result).toBe(hash);
    expect((await client.waitFor(from(whole))).params?.result).toMatchObject({ hash, blockHash: null });

    expect((await client.call(5, 'eth_subscribe', ['newHeads'])).error?.data?.reason).toBe(
      'TOO_MANY_SUBSCRIPTIONS',
    );
    const ended = (await client.call(6, 'eth_unsubscribe', [heads])).result;
    validateExecutionApiResult('eth_unsubscribe', ended);
    expect(ended).toBe(true);
    expect((await client.call(7, 'eth_unsubscribe', [heads])).error?.data?.reason).toBe(
      'SUBSCRIPTION_NOT_FOUND',
    );
  });

  it('push the receipts of a block, all or those of named transactions', async () => {
    const other = await Client.connect(node.webSocketUrl);
    const { owner, holder } = chain;
    const nonce = await node.result<string>('eth_getTransactionCount', [owner, 'pending']);
    const request = { from: owner, to: holder, value: '0x1', gas: '0x5208', gasPrice: '0x0', nonce };
    // Known before it is sent, so that the subscription is there when it is mined.
    const { raw, tx } = await node.result<{ raw: string; tx: { hash: string } }>('eth_signTransaction', [
      request,
    ]);
    const all = (await other.call(1, 'eth_subscribe', ['transactionReceipts'])).result;
    const query = { transactionHashes: [tx.hash] };
    const one = (await other.call(2, 'eth_subscribe', ['transactionReceipts', query])).result;
    const none = { transactionHashes: [`0x${'77'.repeat(32)}`] };
    const nothing = (await other.call(3, 'eth_subscribe', ['transactionReceipts', none])).result;
    await node.result('eth_sendRawTransaction', [raw]);
    const receipt = await node.mined(tx.hash);
    for (const id of [all, one]) {
      const notified = (await other.waitFor(from(id))).params?.result as unknown[];
      validateExecutionApiNotification('transactionReceipts', notified);
      expect(notified).toContainEqual(receipt);
    }
    expect(other.count(from(nothing))).toBe(0);
    const many = { transactionHashes: Array.from({ length: 201 }, () => tx.hash) };
    expect((await other.call(4, 'eth_subscribe', ['transactionReceipts', many])).error?.code).toBe(-32602);
    other.close();
  });

  it('report the sync state: false for a node in sync', async () => {
    const other = await Client.connect(node.webSocketUrl);
    const id = (await other.call(1, 'eth_subscribe', ['syncing'])).result;
    const notified = (await other.waitFor(from(id))).params?.result;
    validateExecutionApiNotification('syncing', notified);
    expect(notified).toBe(false);
    expect((await other.call(2, 'eth_unsubscribe', [id])).result).toBe(true);
    other.close();
  });

  it('share the connection with ordinary calls and batches of bad ones', async () => {
    expect((await client.call(8, 'eth_chainId', [])).result).toBe('0x539');
    expect((await client.call(9, 'eth_nothing', [])).error?.code).toBe(-32601);
  });
});
