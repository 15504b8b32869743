import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { until } from '@tetrad/testkit';
import type { Logger } from '@tetrad/types';
import { WebSocket } from 'ws';
import { methods } from '../../../src/handlers.js';
import {
  RECORDED_KEYS,
  recordedAccounts,
  startPrivacyNetwork,
  type PrivacyNetwork,
  type TestManager,
} from '../../privacy-network.js';
import type { RunningNode } from '../../running-node.js';
import { holdsMarker, tablesWithMarker } from './marker-text.js';
import { keeper, sendMarkerOfEachKind } from './marker-transactions.js';
import { readQuestions, type Asked } from './read-questions.js';

const [A, B, C] = RECORDED_KEYS.map(({ publicKey }) => publicKey as string) as [string, string, string];
const [own] = recordedAccounts(1).map(({ address }) => address as string) as [string];
/** All that the node has, and so more than it exposes by default. */
const MODULES =
  'eth,net,web3,txpool,rpc,debug,trace,ots,erigon,explorer,admin,ibft,miner,eea,priv,privacy,chainExtension';

let network: PrivacyNetwork;
let nodes: readonly RunningNode[];
let sender: RunningNode;
let outsider: RunningNode;
let asked: Asked;
/** Everything that the services have logged, and that the outsider has sent to its subscribers. */
const said: string[] = [];
const notified: string[] = [];
let socket: WebSocket;

beforeAll(async () => {
  const remember = (text: string, fields?: object) => void said.push(`${text} ${writeFields(fields)}`);
  const logger = { debug: remember, info: remember, warn: remember, error: remember } as Logger;
  network = await startPrivacyNetwork({
    keys: RECORDED_KEYS,
    accounts: recordedAccounts(3),
    logger,
    modules: MODULES,
    flags: ['--address-index'],
  });
  ({ nodes } = network);
  [sender, , outsider] = nodes as [RunningNode, RunningNode, RunningNode];
  socket = await listen(outsider);
  const filters = [await outsider.result<string>('eth_newFilter', [{ fromBlock: '0x0' }])];
  filters.push(await outsider.result<string>('eth_newPendingTransactionFilter'));
  const transactions = await sendMarkerOfEachKind(network, own);
  asked = await lookUp(transactions, filters);
});
afterAll(async () => {
  socket?.close();
  await network?.stop();
});

async function listen({ webSocketUrl }: RunningNode): Promise<WebSocket> {
  const opened = new WebSocket(webSocketUrl);
  await new Promise((done, fail) => opened.once('open', done).once('error', fail));
  opened.on('message', (data: Buffer) => void notified.push(data.toString()));
  const kinds = [['newHeads'], ['logs', {}], ['transactionReceipts', {}], ['newPendingTransactions', true]];
  for (const [id, params] of kinds.entries())
    opened.send(JSON.stringify({ jsonrpc: '2.0', id, method: 'eth_subscribe', params }));
  await until(() => notified.filter((text) => text.includes('"result":"0x')).length >= kinds.length);
  return opened;
}

async function lookUp(transactions: readonly string[], filters: readonly string[]): Promise<Asked> {
  const views = await Promise.all(
    transactions.map((hash) =>
      sender.result<{ blockHash: string | null; blockNumber: string; input: string }>(
        'eth_getTransactionByHash',
        [hash],
      ),
    ),
  );
  const receipts = await Promise.all(
    transactions.flatMap((hash) =>
      ['eth_getTransactionReceipt', 'eth_getPrivateTransactionReceipt', 'priv_getTransactionReceipt'].map(
        async (method) => (await sender.call(method, [hash])).result as { contractAddress?: string } | null,
      ),
    ),
  );
  const addresses = receipts.flatMap((receipt) => receipt?.contractAddress ?? []);
  return {
    transactions,
    filters,
    sender: own,
    keys: [A, B, C],
    blocks: views.flatMap(({ blockHash: hash, blockNumber: number }) =>
      hash === null ? [] : [{ hash, number }],
    ),
    addresses: [...new Set(addresses)],
    payloads: views.map(({ input }) => input),
    callData: keeper.encodeFunctionData('kept'),
  };
}

/** The answers to all that can be asked, as the node wrote them. */
async function answersOf(node: RunningNode): Promise<{ method: string; text: string }[]> {
  const answers: { method: string; text: string }[] = [];
  for (const { method, params } of readQuestions(methods, asked)) {
    const response = await fetch(node.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    });
    answers.push({ method, text: await response.text() });
  }
  return answers;
}

const methodsWith = (answers: readonly { method: string; text: string }[]) => [
  ...new Set(answers.filter(({ text }) => holdsMarker(text)).map(({ method }) => method)),
];

describe('the plaintext of private payloads', () => {
  it('is in no answer of a node that is not a party', async () => {
    const answers = await answersOf(outsider);
    expect(methodsWith(answers)).toEqual([]);
    // A malformed request would prove nothing.
    const malformed = answers.filter(({ text }) => /"code":-3260[012]\b/.test(text));
    expect(malformed.map(({ method, text }) => `${method} ${text}`)).toEqual([]);
  });

  it('is in answers of a party to the same requests', async () => {
    expect(methodsWith(await answersOf(sender))).toEqual(
      expect.arrayContaining([
        'debug_dumpAddress',
        'debug_traceTransaction',
        'debug_traceCall',
        'debug_traceBlockByHash',
        'trace_transaction',
        'trace_block',
        'trace_replayBlockTransactions',
        'trace_filter',
        'trace_replayTransaction',
        'ots_traceTransaction',
        'eth_call',
        'eth_getChainPayload',
        'eth_getLogs',
        'eth_getStorageAt',
        'eth_getProof',
        'eth_getTransactionReceipt',
        'eth_getBlockReceipts',
        'eth_getPrivateTransactionReceipt',
        'priv_getTransactionReceipt',
      ]),
    );
  });

  it('is in no notification of a node that is not a party', async () => {
    const last = asked.transactions.at(-2) as string;
    await until(() => notified.some((text) => text.includes(last)));
    expect(notified.filter(holdsMarker)).toEqual([]);
  });

  it('is in no block, and in no transaction that waits in a pool', async () => {
    const last = Math.max(...asked.blocks.map(({ number }) => Number(number)));
    for (let number = 0; number <= last; number++) {
      const raw = await outsider.result<string>('debug_getRawBlock', [`0x${number.toString(16)}`]);
      expect(holdsMarker(raw)).toBe(false);
    }
    const pools = await Promise.all(nodes.map((node) => node.result('txpool_content')));
    expect(pools.filter((pool) => holdsMarker(JSON.stringify(pool)))).toEqual([]);
    expect(JSON.stringify(pools[0])).toContain(asked.transactions.at(-1));
  });

  it('is only in tables of private state, and only of parties', async () => {
    const found = await Promise.all(nodes.map(({ databaseUrl }) => tablesWithMarker(databaseUrl)));
    expect(found[2]).toEqual([]);
    for (const tables of found.slice(0, 2)) {
      expect(tables.filter((table) => !table.startsWith('private_'))).toEqual([]);
      expect(tables).not.toEqual([]);
    }
  });

  it('is encrypted in the tables of the managers', async () => {
    for (const { databaseUrl } of network.managers) expect(await tablesWithMarker(databaseUrl)).toEqual([]);
  });

  it('is in no log and no metric of nodes and managers', async () => {
    expect(said.length).toBeGreaterThan(0);
    expect(said.filter(holdsMarker)).toEqual([]);
    for (const { opsUrl } of nodes) {
      for (const path of ['metrics', 'readyz', 'livez'])
        expect(holdsMarker(await (await fetch(`${opsUrl}/${path}`)).text())).toBe(false);
    }
  });

  it('is in no answer of a manager to a client that is not a party', async () => {
    const [theirs, , outsiders] = network.managers as [TestManager, TestManager, TestManager];
    const [payload] = asked.payloads as [string];
    const hash = Buffer.from(payload.slice(2), 'hex').toString('base64');
    const path = `transaction/${encodeURIComponent(hash)}`;
    const paths = [path, `${path}?isRaw=true`, `${path}?to=${encodeURIComponent(C)}`, `${path}/isSender`];
    const raw = { headers: { 'c11n-key': hash, 'c11n-to': C } };
    const ofOutsider = [...paths, `${path}/participants`].map((one) => fetch(`${outsiders.url}/${one}`));
    // The ports for managers and applications of a party are open to clients that are not parties.
    const open = [theirs.peerUrl, theirs.thirdPartyUrl as string];
    const ofParty = open.flatMap((url) => [
      ...[...paths, 'partyinfo', 'partyinfo/keys', 'keys'].map((one) => fetch(url + one)),
      fetch(`${url}receiveraw`, raw),
      ...[B, C].flatMap((publicKey) => [
        post(`${url}resend`, { type: 'INDIVIDUAL', publicKey, key: hash }),
        post(`${url}resend`, { type: 'ALL', publicKey }),
        post(`${url}resendBatch`, { publicKey, batchSize: 10 }),
      ]),
    ]);
    const asking = [...ofOutsider, fetch(`${outsiders.url}/receiveraw`, raw), ...ofParty];
    for (const answer of await Promise.all(asking)) {
      const bytes = Buffer.from(await answer.arrayBuffer());
      expect([answer.url, holdsMarker(bytes.toString('latin1'))]).toEqual([answer.url, false]);
    }
    const ofSender = Buffer.from(await (await fetch(`${theirs.url}/${path}`)).arrayBuffer());
    expect(holdsMarker(ofSender.toString('latin1'))).toBe(true);
  });
});

function post(url: string, members: object): Promise<Response> {
  const headers = { 'content-type': 'application/json' };
  return fetch(url, { method: 'POST', headers, body: JSON.stringify(members) });
}

function writeFields(fields: object | undefined): string {
  return JSON.stringify(fields ?? {}, (_, value: unknown) => {
    if (typeof value === 'bigint') return value.toString();
    return value instanceof Error ? `${value.name} ${value.message} ${value.stack}` : value;
  });
}
