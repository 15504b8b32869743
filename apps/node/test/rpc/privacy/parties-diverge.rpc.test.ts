import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { until } from '@tetrad/testkit';
import { keyPairFromPrivate } from '@tetrad/transaction-manager';
import { WebSocket } from 'ws';
import {
  RECORDED_KEYS,
  recordedAccounts,
  startPrivacyNetwork,
  type PrivacyNetwork,
} from '../../privacy-network.js';
import type { RunningNode } from '../../running-node.js';
import { compiled, sendAndMine, valuesAt, type MinedReceipt } from './private-contracts.js';

const KEYS = [...RECORDED_KEYS, keyPairFromPrivate(Buffer.alloc(32, 0x64))];
const [K1, K2, K3] = KEYS.map(({ publicKey }) => publicKey as string) as [string, string, string];
const accumulator = compiled('Accumulator.sol', 'Accumulator');
const { topicHash } = accumulator.interface.getEvent('IncEvent')!;
const NONE: readonly number[] = [];

interface Log {
  readonly address: string;
  readonly topics: readonly string[];
  readonly data: string;
}

let network: PrivacyNetwork;
let nodes: readonly RunningNode[];
let sender: RunningNode;
const sockets: WebSocket[] = [];
/** IncEvents notified by each of the nodes, in order. */
const heard: Log[][] = [];
let contract: string;
/** Hashes of inc(n), by n. */
const increments = new Map<number, string>();

beforeAll(async () => {
  network = await startPrivacyNetwork({ keys: KEYS, accounts: recordedAccounts(4) });
  ({ nodes } = network);
  sender = nodes[3] as RunningNode;
  for (const node of nodes) heard.push(await listen(node));
});
afterAll(async () => {
  for (const socket of sockets) socket.close();
  await network?.stop();
});

async function listen({ webSocketUrl }: RunningNode): Promise<Log[]> {
  const socket = new WebSocket(webSocketUrl);
  sockets.push(socket);
  const logs: Log[] = [];
  await new Promise((done, fail) => socket.once('open', done).once('error', fail));
  const subscribed = new Promise((done) =>
    socket.on('message', (data: Buffer) => {
      const message = JSON.parse(data.toString()) as { result?: string; params?: { result: Log } };
      if (message.params !== undefined) logs.push(message.params.result);
      else done(message.result);
    }),
  );
  const params = ['logs', { topics: [topicHash] }];
  socket.send(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_subscribe', params }));
  await subscribed;
  return logs;
}

const sums = (logs: readonly Log[]) => logs.map(({ data }) => Number(data));
const ofContract = (logs: readonly Log[], address = contract) =>
  logs.filter((log) => log.address === address);
const sumsIn = (receipts: readonly MinedReceipt[]) =>
  receipts.map(({ logs }) => sums(ofContract(logs as unknown as Log[])));
const get = (address = contract) => valuesAt(nodes, accumulator, address, 'get');

/** inc(n) of the fourth node for the keys. */
async function increment(more: number, privateFor: readonly string[]): Promise<readonly MinedReceipt[]> {
  const data = accumulator.interface.encodeFunctionData('inc', [more]);
  const { hash, receipts } = await sendAndMine(sender, nodes, { to: contract, data, privateFor });
  increments.set(more, hash);
  return receipts;
}

interface Trace {
  readonly failed: boolean;
  readonly structLogs: readonly { readonly op: string }[];
}

const tracesOf = (more: number) =>
  Promise.all(nodes.map((node) => node.result<Trace>('debug_traceTransaction', [increments.get(more)])));

describe('an accumulator whose parties receive different increments', () => {
  it('has its first value on all four nodes (P-06)', async () => {
    const data = accumulator.creation(1);
    const { receipts } = await sendAndMine(sender, nodes, { data, privateFor: [K1, K2, K3] });
    contract = String(receipts[3]?.contractAddress);
    expect(receipts.map(({ status, contractAddress }) => [status, contractAddress])).toEqual(
      nodes.map(() => ['0x1', contract]),
    );
    expect(await get()).toEqual([1, 1, 1, 1]);
  });

  it('is incremented on the nodes that are recipients (P-07)', async () => {
    const receipts = await increment(1, [K1, K2]);
    expect(receipts.map(({ status }) => status)).toEqual(['0x1', '0x1', '0x1', '0x1']);
    expect(sumsIn(receipts)).toEqual([[2], [2], NONE, [2]]);
    expect(await get()).toEqual([2, 2, 1, 2]);
  });

  it('continues on a node that is a recipient again, and is unchanged on other nodes (P-08)', async () => {
    const receipts = await increment(2, [K1]);
    expect(receipts.map(({ status }) => status)).toEqual(['0x1', '0x1', '0x1', '0x1']);
    expect(sumsIn(receipts)).toEqual([[4], NONE, NONE, [4]]);
    expect(await get()).toEqual([4, 2, 1, 4]);
  });

  it('has different sums after one transaction on nodes that received different ones (P-09)', async () => {
    const receipts = await increment(3, [K2]);
    expect(receipts.map(({ status }) => status)).toEqual(['0x1', '0x1', '0x1', '0x1']);
    expect(sumsIn(receipts)).toEqual([NONE, [5], NONE, [7]]);
    expect(await get()).toEqual([4, 5, 1, 7]);
  });

  it('notified subscribers at each node of the increments that the node received, and of no other (P-09)', async () => {
    // Logs come in the order of the chain: once a later public one is heard of, nothing is still on its way.
    const open = (await sendAndMine(sender, nodes, { data: accumulator.creation(1) })).receipts[0];
    const to = String(open?.contractAddress);
    const data = accumulator.interface.encodeFunctionData('inc', [1]);
    await sendAndMine(sender, nodes, { to, data });
    const expected = [[2, 4], [2, 5], NONE, [2, 4, 7]];
    const heardOf = (index: number) => sums(ofContract(heard[index] ?? []));
    await until(() => heard.every((logs) => ofContract(logs, to).length > 0));
    await until(() => expected.every(({ length }, index) => heardOf(index).length >= length));
    expect(expected.map((_, index) => heardOf(index))).toEqual(expected);
    expect(heard.map((logs) => sums(ofContract(logs, to)))).toEqual([[2], [2], [2], [2]]);
    expect(await get(to)).toEqual([2, 2, 2, 2]);
  });

  it('has one trace of an increment on all nodes that received it, and an empty one elsewhere (P-10)', async () => {
    const [first, second] = [await tracesOf(1), await tracesOf(2)];
    for (const traces of [first, second])
      expect(traces[0]?.structLogs.map(({ op }) => op)).toEqual(expect.arrayContaining(['SSTORE', 'LOG1']));
    expect([first[1], first[3]]).toEqual([first[0], first[0]]);
    expect(first[2]?.structLogs).toEqual([]);
    expect(second[3]).toEqual(second[0]);
    expect([second[1]?.structLogs, second[2]?.structLogs]).toEqual([[], []]);
  });
});
