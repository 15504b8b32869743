import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { WRITES_OF_KIND, METHODS_OF_KIND } from '@tetrad/console';
import { silentLogger } from '@tetrad/types';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { startConsole } from './running-console.js';
import { WRITE_TOKENS, startWritingConsole, type WritingConsole } from './writing-console.js';

const ADDRESS = `0x${'ab'.repeat(20)}`;
const HASH = `0x${'12'.repeat(32)}`;

/** A service that answers as the test wants, and keeps what it was asked. */
let upstream: Server;
let asked: { body: string; authorization: string | undefined }[] = [];
type Reply = { status?: number; body?: string } | 'hang up' | 'say nothing';
let reply: Reply;
let lines: { message: string; values: unknown }[] = [];
let console: WritingConsole;
let token: string;

beforeAll(async () => {
  upstream = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      asked.push({ body, authorization: request.headers.authorization });
      if (reply === 'hang up') response.destroy();
      else if (reply !== 'say nothing') response.writeHead(reply.status ?? 200).end(reply.body ?? '');
    });
  });
  await new Promise<void>((done) => upstream.listen(0, '127.0.0.1', done));
  const keep = (message: string, values?: unknown) => void lines.push({ message, values });
  const rpc = `http://127.0.0.1:${(upstream.address() as AddressInfo).port}`;
  console = await startWritingConsole(
    [
      { name: 'node0', rpc },
      { name: 'gone', rpc: 'http://127.0.0.1:1' },
    ],
    { services: { signer: { rpc } }, logger: { ...silentLogger, info: keep, warn: keep, error: keep } },
  );
  token = await console.tokenFor('*', 'ibft_propose', 'eth_sendTransaction', 'chainPermission_addNewRole');
});
beforeEach(() => {
  asked = [];
  lines = [];
  reply = { body: '{"jsonrpc":"2.0","id":0,"result":null}' };
});
afterAll(async () => {
  await console.stop();
  upstream.close();
});

let made = 0;
/** A write that the console passes on, with what a test changes. */
const write = (changes: object = {}) => ({
  id: (made++).toString(16).padStart(32, '0'),
  chainId: 1337,
  service: 'node0',
  method: 'ibft_propose',
  params: [ADDRESS, true],
  ...changes,
});

async function post(
  body: object | string,
  { path = '/api/nodes/node0/write', headers = {} }: { path?: string; headers?: Record<string, string> } = {},
) {
  const response = await fetch(console.url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}`, ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

describe('a write', () => {
  it('is passed on alone, written anew, with the token for writing, and leaves two lines', async () => {
    const sent = write();
    expect(await post(JSON.stringify(sent, null, 2))).toEqual({ status: 200, body: { result: null } });
    const body = JSON.stringify({ jsonrpc: '2.0', id: 0, method: sent.method, params: sent.params });
    expect(asked).toEqual([{ body, authorization: `Bearer ${WRITE_TOKENS.node}` }]);
    const { id, chainId, service, method } = sent;
    // Not `service`, which is this console in every line.
    const values = { subject: 'operator@bank-a', id, chainId, target: service, method };
    expect(lines).toEqual([
      { message: 'write passed on', values },
      { message: 'write ended', values: { ...values, outcome: 'done' } },
    ]);
    expect(JSON.stringify(lines)).not.toContain('token');
  });

  it('to the signer is a transaction, whose hash is in the log', async () => {
    reply = { body: JSON.stringify({ jsonrpc: '2.0', id: 0, result: HASH }) };
    const params = [{ from: ADDRESS, to: ADDRESS, value: '0x1', gas: '0x5208' }];
    const sent = write({ service: 'signer', method: 'eth_sendTransaction', params });
    expect(await post(sent, { path: '/api/signer/write' })).toEqual({ status: 200, body: { result: HASH } });
    expect(asked[0]?.authorization).toBe(`Bearer ${WRITE_TOKENS.signer}`);
    expect(lines[1]?.values).toMatchObject({ outcome: 'done', transaction: HASH });
  });

  it('that was confirmed once is sent once, however often it comes', async () => {
    const sent = write();
    const [first, second] = await Promise.all([post(sent), post(sent)]);
    expect([first.status, second.status].sort()).toEqual([200, 409]);
    expect((await post(sent)).body['error']).toBe(
      'id: this write was passed on before, and is not sent twice',
    );
    expect(asked).toHaveLength(1);
  });

  it('is never one that only reads, and reads are no writes', () => {
    for (const kind of ['node', 'signer'] as const)
      for (const method of Object.keys(WRITES_OF_KIND[kind]))
        expect({ method, isRead: METHODS_OF_KIND[kind].has(method) }).toEqual({ method, isRead: false });
  });
});

describe('a write is refused, and nothing is sent,', () => {
  afterEach(() => {
    expect(asked).toEqual([]);
  });

  const transaction = (request: object) =>
    post(write({ service: 'signer', method: 'eth_sendTransaction', params: [request] }), {
      path: '/api/signer/write',
    });

  it.each<[string, object | string, number, string]>([
    ['in a batch', [write()], 400, 'write: '],
    ['as no JSON', '{"id":', 400, 'not JSON'],
    ['with a member more', write({ also: 1 }), 400, 'also'],
    ['for another chain', write({ chainId: 1 }), 409, 'chainId: the network has chain id 1337'],
    ['with a chain id as text', write({ chainId: '1337' }), 400, 'chainId: '],
    ['confirmed for another service', write({ service: 'node1' }), 400, 'service: '],
    ['with an id of another form', write({ id: 'x' }), 400, 'id: must be 32 hex digits'],
    ['of a method that reads', write({ method: 'eth_blockNumber', params: [] }), 403, 'method: '],
    ['of a method in other case', write({ method: 'IBFT_propose' }), 403, 'method: '],
    ['of a method of objects', write({ method: 'constructor', params: [] }), 403, 'method: '],
    ['of a method of the signer', write({ method: 'eth_sendTransaction' }), 403, 'method: '],
    [
      'that the token names by a prefix alone',
      write({ method: 'ibft_discard', params: [ADDRESS] }),
      403,
      'method: your token does not name ibft_discard',
    ],
    ['with a parameter more', write({ params: [ADDRESS, true, 1] }), 400, 'params: too many'],
    ['with a parameter missing', write({ params: [ADDRESS] }), 400, 'auth: missing'],
    [
      'with a parameter of another form',
      write({ params: ['0x12', true] }),
      400,
      'address: must be an address',
    ],
    ['with parameters by name', write({ params: { address: ADDRESS, auth: true } }), 400, 'params: '],
    ['with the same key twice', JSON.stringify(write()).replace('{', '{"params":[],'), 400, 'duplicate key'],
    ['with a key in two cases', JSON.stringify(write()).replace('{', '{"Params":[],'), 400, 'Params'],
    ['of 300 kB', write({ params: ['x'.repeat(300_000)] }), 413, '262144 bytes'],
    ['of many brackets', '['.repeat(100_000), 400, 'nested deeper'],
  ])('%s', async (_, body, status, error) => {
    const answer = await post(body);
    expect(answer).toEqual({ status, body: { error: expect.stringContaining(error) } });
  });

  it.each<[string, object, string]>([
    ['a misspelt one', { from: ADDRESS, valeu: '0x1' }, 'transaction.valeu'],
    ['one in other case', { from: ADDRESS, Value: '0x1' }, 'transaction.Value'],
    [
      'one of the prototype',
      JSON.parse(`{"from":"${ADDRESS}","__proto__":{}}`) as object,
      'transaction.__proto__',
    ],
    [
      'one within',
      { from: ADDRESS, accessList: [{ address: ADDRESS, storageKeys: [], more: 1 }] },
      'transaction.accessList[0].more',
    ],
  ])('with unknown members of a transaction: %s', async (_, request, field) => {
    expect(await transaction(request)).toEqual({
      status: 400,
      body: { error: `invalid params: ${field}: is not known` },
    });
  });

  it.each<[string, Record<string, string>, number, string]>([
    ['without a token', { authorization: '' }, 401, 'token'],
    ['of a form', { 'content-type': 'application/x-www-form-urlencoded' }, 400, 'content-type'],
    ['of a form that says text', { 'content-type': 'text/plain' }, 400, 'content-type'],
    ['of another origin', { origin: 'https://evil.example' }, 403, 'origin'],
    ['of an origin without a name', { origin: 'null' }, 403, 'origin'],
    ['of another site', { 'sec-fetch-site': 'cross-site' }, 403, 'sec-fetch-site'],
    ['of a neighbour', { 'sec-fetch-site': 'same-site' }, 403, 'sec-fetch-site'],
    ['of a browser that names no origin', { 'sec-fetch-site': 'same-origin' }, 403, 'origin'],
  ])('%s', async (_, headers, status, error) => {
    const answer = await post(write(), { headers });
    expect(answer).toMatchObject({ status, body: { error: expect.stringContaining(error) } });
  });

  it('with a token that permits everything by a prefix', async () => {
    for (const permissions of [['*'], ['ibft_*', 'eth_*']]) {
      const authorization = `Bearer ${await console.tokenFor(...permissions)}`;
      expect((await post(write(), { headers: { authorization } })).status).toBe(403);
    }
  });

  it('with the token in the address, in a cookie or in the body', async () => {
    const headers = { authorization: '', cookie: `token=${token}` };
    const path = `/api/nodes/node0/write?access_token=${token}`;
    expect((await post(write({ token }), { path, headers })).status).toBe(401);
  });

  it('for a node that there is not', async () => {
    const answer = await post(write({ service: 'node9' }), { path: '/api/nodes/node9/write' });
    expect(answer).toEqual({ status: 404, body: { error: 'the network has no node9' } });
  });

  it('from pages that may read', async () => {
    const other = await startWritingConsole([{ name: 'node0', rpc: 'http://127.0.0.1:1' }], {
      flags: ['--cors-origins', 'https://friend.example'],
    });
    const response = await fetch(`${other.url}/api/nodes/node0/write`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        origin: 'https://friend.example',
        authorization: `Bearer ${await other.tokenFor('ibft_propose')}`,
      },
      body: JSON.stringify(write()),
    });
    expect(response.status).toBe(403);
    await other.stop();
  });

  it('by a console without a token for writing', async () => {
    const other = await startWritingConsole([{ name: 'node0', rpc: 'http://127.0.0.1:1' }], { kinds: [] });
    const authorization = `Bearer ${await other.tokenFor('ibft_propose')}`;
    const response = await fetch(`${other.url}/api/nodes/node0/write`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization },
      body: JSON.stringify(write()),
    });
    expect(await response.json()).toEqual({
      error: 'this console was started without --node-write-token-file',
    });
    await other.stop();
  });

  it('by a console that would not know for whom: it does not start', async () => {
    for (const flag of ['--node-write-token-file', '--signer-write-token-file'])
      await expect(
        startConsole([{ name: 'node0', rpc: 'http://127.0.0.1:1' }], [flag, '/nowhere']),
      ).rejects.toThrow(`${flag}: needs --auth-jwt-key-file`);
  });
});

describe('what became of a write', () => {
  it.each<[string, Reply, number, object, string]>([
    [
      'refused',
      { body: '{"error":{"code":-32000,"message":"<b>no</b>"}}' },
      200,
      { refusal: '<b>no</b>' },
      'refused',
    ],
    [
      'failed within',
      { body: '{"error":{"code":-32603,"message":"internal error"}}' },
      504,
      { error: 'node0: internal error' },
      'unknown',
    ],
    [
      'took too long',
      { body: '{"error":{"code":-32002,"message":"late","data":{"reason":"REQUEST_TIMEOUT"}}}' },
      504,
      { error: 'node0: late' },
      'unknown',
    ],
    ['not let in', { status: 401 }, 502, { error: 'node0 answers with HTTP status 401' }, 'unsent'],
    ['broken', { status: 500 }, 504, { error: 'node0: answers with HTTP status 500' }, 'unknown'],
    ['no JSON', { body: 'x' }, 504, { error: 'node0: answers with HTTP status 200' }, 'unknown'],
    [
      'another result',
      { body: '{"result":{}}' },
      504,
      { error: 'node0: answers with HTTP status 200' },
      'unknown',
    ],
    ['a break', 'hang up', 504, { error: 'node0: cannot be reached' }, 'unknown'],
  ])('%s', async (_, given, status, body, outcome) => {
    reply = given;
    expect(await post(write())).toEqual({ status, body });
    expect(asked).toHaveLength(1);
    expect(lines.at(-1)?.values).toMatchObject({ outcome });
  });

  it('is not known when there is no answer in time', async () => {
    const other = await startWritingConsole(
      [{ name: 'node0', rpc: `http://127.0.0.1:${(upstream.address() as AddressInfo).port}` }],
      { flags: ['--node-timeout', '200ms'] },
    );
    reply = 'say nothing';
    const response = await fetch(`${other.url}/api/nodes/node0/write`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        authorization: `Bearer ${await other.tokenFor('ibft_propose')}`,
      },
      body: JSON.stringify(write()),
    });
    expect([response.status, await response.json()]).toEqual([
      504,
      { error: 'node0: does not answer in time' },
    ]);
    expect(asked).toHaveLength(1);
    await other.stop();
  });

  it('is that it was not sent when the node cannot be reached', async () => {
    const answer = await post(write({ service: 'gone' }), { path: '/api/nodes/gone/write' });
    expect(answer).toEqual({ status: 502, body: { error: 'gone cannot be reached' } });
    expect(lines.at(-1)?.values).toMatchObject({ outcome: 'unsent' });
  });
});

describe('the writes that the page offers', () => {
  it('are those that the token names, for services that the console may write to', async () => {
    const writesFor = async (...permissions: string[]) => {
      const authorization = `Bearer ${await console.tokenFor(...permissions)}`;
      const response = await fetch(`${console.url}/api/network`, { headers: { authorization } });
      return ((await response.json()) as { writes: object }).writes;
    };
    expect(await writesFor('*', 'chainPermission_*')).toEqual({ node: [], signer: [] });
    expect(await writesFor('ibft_propose', 'eth_sendTransaction', 'eth_blockNumber')).toEqual({
      node: ['ibft_propose'],
      signer: ['eth_sendTransaction'],
    });
  });
});
