import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { FaultyProxy, until } from '@tetrad/testkit';
import { ManagerClient } from '@tetrad/transaction-manager-client';
import { bytesFromHex } from '@tetrad/types';
import { WebSocket } from 'ws';
import {
  startManager,
  type RunningManager,
} from '../../../../../libs/transaction-manager/test/running-managers.js';
import { reasonOf, startNode, type RunningNode } from '../../running-node.js';
import { signPrivately } from './private-transaction.js';

/** LOG0 of nothing, then STOP as the code. */
const LOGS = '0x60006000a060016000f3';

interface Heard {
  readonly transactionHash: string;
  readonly logIndex: string;
}

/** A node with a Tetrad manager behind a link that can be cut, and a client that listens. */
let manager: RunningManager;
let link: FaultyProxy;
let client: ManagerClient;
let node: RunningNode;
let socket: WebSocket;
/** Notifications of the two subscriptions, by their ids. */
const heard = new Map<string, unknown[]>();
let logs: string;
let receipts: string;
let nonce = 0n;

beforeAll(async () => {
  manager = await startManager(['a1']);
  link = await FaultyProxy.open({ port: () => Number(new URL(manager.clientUrl).port) });
  client = new ManagerClient({ url: manager.clientUrl });
  node = await startNode(['--ptm-url', `http://127.0.0.1:${link.port}`, '--private-state-wait', '20s']);
  socket = new WebSocket(node.webSocketUrl);
  await new Promise((done, fail) => socket.once('open', done).once('error', fail));
  logs = await subscribe(1, 'logs', { topics: [] });
  receipts = await subscribe(2, 'transactionReceipts', {});
});
afterAll(async () => {
  socket?.close();
  await node?.stop();
  await client?.close();
  await link?.close();
  await manager?.end();
});

async function subscribe(id: number, ...params: unknown[]): Promise<string> {
  const answered = new Promise<string>((done) =>
    socket.on('message', (data: Buffer) => {
      const message = JSON.parse(data.toString()) as {
        id?: number;
        result?: string;
        params?: { subscription: string; result: unknown };
      };
      if (message.id === id && message.result !== undefined) {
        heard.set(message.result, []);
        done(message.result);
      } else if (id === 1 && message.params !== undefined) {
        heard.get(message.params.subscription)?.push(message.params.result);
      }
    }),
  );
  socket.send(JSON.stringify({ jsonrpc: '2.0', id, method: 'eth_subscribe', params }));
  return answered;
}

/**
 * Sends a private creation to ourselves and waits until it is mined.
 * @returns its hash
 */
async function createPrivately(): Promise<string> {
  const [, owner] = node.owners;
  const sent = await client.send({
    payload: bytesFromHex(LOGS),
    from: undefined,
    to: [],
    privacyFlag: 0,
    affected: [],
    execHash: '',
    mandatoryFor: [],
  });
  if (sent.kind !== 'done') throw new Error(JSON.stringify(sent));
  const raw = signPrivately(
    { nonce: nonce++, payloadHash: sent.value.hash },
    owner?.privateKey as Uint8Array,
  );
  const hash = await node.result<string>('eth_sendRawTransaction', [raw]);
  await until(
    async () =>
      (await node.result<{ blockNumber: unknown }>('eth_getTransactionByHash', [hash])).blockNumber !== null,
  );
  return hash;
}

const createPublicly = async () => {
  const [from] = node.accounts;
  const hash = await node.result<string>('eth_sendTransaction', [{ from, data: LOGS, gas: '0x30d40' }]);
  await node.mined(hash);
  return hash;
};

const heardLogs = () => (heard.get(logs) as Heard[]).map(({ transactionHash }) => transactionHash);
const heardReceipts = () =>
  (heard.get(receipts) as { transactionHash: string; logs: unknown[] }[][])
    .flat()
    .map(({ transactionHash, logs: own }) => [transactionHash, own.length]);

describe('a node with a Tetrad manager', () => {
  it('shows the state of a receipt to a client that has seen the receipt', async () => {
    for (let turn = 0; turn < 5; turn++) {
      const hash = await createPrivately();
      const receipt = await node.result<{ contractAddress: string; blockNumber: string }>(
        'eth_getTransactionReceipt',
        [hash],
      );
      expect(receipt).toMatchObject({ status: '0x1', gasUsed: '0x0', logs: [{ transactionHash: hash }] });
      expect(await node.result('eth_getCode', [receipt.contractAddress])).toBe('0x00');
      const { blockNumber } = receipt;
      expect(
        await node.result('eth_getLogs', [{ fromBlock: blockNumber, toBlock: blockNumber }]),
      ).toHaveLength(1);
    }
  });

  it('notifies subscribers of private logs and receipts in the order of the chain', async () => {
    const [first, second, third] = [await createPrivately(), await createPublicly(), await createPrivately()];
    await until(() => heardLogs().includes(third));
    expect(heardLogs().slice(-3)).toEqual([first, second, third]);
    await until(() => heardReceipts().some(([hash]) => hash === third));
    expect(heardReceipts().slice(-3)).toEqual([
      [first, 1],
      [second, 1],
      [third, 1],
    ]);
  });

  it('announces the public part while the manager is unavailable, and the rest once it is back', async () => {
    const filter = await node.result('eth_newFilter', [{}]);
    link.set({ kind: 'cut' });
    const hidden = await createPrivately();
    const open = await createPublicly();
    await until(() => heardLogs().includes(open) && heardReceipts().some(([hash]) => hash === open));
    expect(heardLogs()).not.toContain(hidden);
    expect(heardReceipts().map(([hash]) => hash)).not.toContain(hidden);
    expect(reasonOf(await node.call('eth_getTransactionReceipt', [hidden]))).toBe(
      'PRIVATE_STATE_NOT_AVAILABLE',
    );
    expect(reasonOf(await node.call('eth_getFilterChanges', [filter]))).toBe('PRIVATE_STATE_NOT_AVAILABLE');
    link.heal();
    await until(() => heardLogs().includes(hidden) && heardReceipts().some(([hash]) => hash === hidden));
    expect(heardLogs().filter((hash) => hash === hidden || hash === open)).toEqual([open, hidden]);
    expect(heardReceipts().filter(([hash]) => hash === hidden || hash === open)).toEqual([
      [open, 1],
      [hidden, 1],
    ]);
    await until(async () => (await node.call('eth_getTransactionReceipt', [hidden])).error === undefined);
    let polled: Heard[] = [];
    await until(async () => {
      const { result = [] } = await node.call('eth_getFilterChanges', [filter]);
      polled = [...polled, ...(result as Heard[])];
      return polled.length >= 2;
    });
    expect(polled.map(({ transactionHash }) => transactionHash)).toEqual([hidden, open]);
  });
});
