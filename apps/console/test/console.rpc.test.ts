import { createServer, request as httpRequest, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { nodeMethods, nodeStandardMethods, restrictedMethods } from '@tetrad/api-node';
import { METHODS_OF_KIND } from '@tetrad/console';
import { createTokenKey, issueToken, tokenPublicKey } from '@tetrad/service';
import { until } from '@tetrad/testkit';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { SECRETS, startConsole, type RunningConsole } from './running-console.js';

const READ_METHODS = METHODS_OF_KIND.node;

/** A server that answers as the test wants, and keeps what it was asked. */
let upstream: Server;
let asked: { body: string; authorization: string | undefined }[] = [];
let answer: (body: string) => { status?: number; body: string };
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tetrad-console-test-'));
  upstream = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      asked.push({ body, authorization: request.headers.authorization });
      const { status = 200, body: text } = answer(body);
      response.writeHead(status).end(text);
    });
  });
  await new Promise<void>((done) => upstream.listen(0, '127.0.0.1', done));
});
afterAll(async () => {
  upstream.close();
  await rm(folder, { recursive: true, force: true });
});

const upstreamUrl = () => `http://127.0.0.1:${(upstream.address() as AddressInfo).port}`;
const running: RunningConsole[] = [];
afterEach(async () => {
  for (const one of running.splice(0)) await one.stop();
});

async function start(...flags: string[]): Promise<RunningConsole> {
  asked = [];
  answer = (body) => ({
    body: JSON.stringify((JSON.parse(body) as { id: number }[]).map(({ id }) => ({ id, result: '0x1' }))),
  });
  const started = await startConsole([{ name: 'node0', rpc: upstreamUrl() }], flags);
  running.push(started);
  return started;
}

async function post(
  { url }: RunningConsole,
  body: string,
  more: Record<string, string> = {},
  node = 'node0',
) {
  const headers = { 'content-type': 'application/json', ...more };
  const response = await fetch(`${url}/api/nodes/${node}`, { method: 'POST', headers, body });
  return { status: response.status, body: (await response.json()) as unknown };
}

const calls = (...methods: string[]) => JSON.stringify(methods.map((method) => ({ method, params: [] })));

describe('what the page learns of the network', () => {
  it('is names and roles, never keys, addresses of services or the database', async () => {
    const { url } = await start();
    const text = await (await fetch(`${url}/api/network`)).text();
    const address = `0x${'0'.repeat(40)}`;
    expect(JSON.parse(text)).toEqual({
      chainId: 1337,
      nodes: [{ name: 'node0', address, hasManager: false }],
      labels: [],
      rollup: null,
      hasSigner: false,
      hasWallet: false,
      verifiesSources: true,
      writes: { node: [], signer: [] },
    });
    for (const secret of [...SECRETS, upstreamUrl()]) expect(text).not.toContain(secret);
  });

  it('follows the endpoints file, and stays while that is half written', async () => {
    const console = await start();
    const names = async () => {
      const { nodes } = (await (await fetch(`${console.url}/api/network`)).json()) as {
        nodes: { name: string }[];
      };
      return nodes.map(({ name }) => name).join();
    };
    await console.describe([
      { name: 'node0', rpc: upstreamUrl() },
      { name: 'node4', rpc: upstreamUrl() },
    ]);
    await until(async () => (await names()) === 'node0,node4');
    await console.describe([]);
    expect(await names()).toBe('node0,node4');
  });

  it.each([
    ['not json', 'is not JSON'],
    [JSON.stringify({ chainId: 1, nodes: [] }), 'nodes: '],
    [
      JSON.stringify({ chainId: 1, nodes: [{ name: 'a', rpc: 'ftp://host', address: '', ptm: null }] }),
      'nodes.0.rpc',
    ],
  ])('needs a file of an endpoints file’s form: %s', async (text, reason) => {
    await expect(startConsole(text)).rejects.toThrow(reason);
  });
});

describe('calls of a node', () => {
  it('are passed on as one batch, written anew', async () => {
    const console = await start();
    const answered = await post(console, calls('eth_blockNumber', 'net_peerCount'));
    expect(answered).toEqual({
      status: 200,
      body: [
        { id: 0, result: '0x1' },
        { id: 1, result: '0x1' },
      ],
    });
    expect(asked.map(({ body }) => JSON.parse(body) as unknown)).toEqual([
      [
        { jsonrpc: '2.0', id: 0, method: 'eth_blockNumber', params: [] },
        { jsonrpc: '2.0', id: 1, method: 'net_peerCount', params: [] },
      ],
    ]);
  });

  it('are none that change anything: all other methods of the node are refused by name', async () => {
    const console = await start();
    const known = Object.keys({ ...nodeMethods, ...nodeStandardMethods, ...restrictedMethods });
    for (const method of READ_METHODS) expect(known).toContain(method);
    for (const method of known.filter((one) => !READ_METHODS.has(one)))
      expect(await post(console, calls('eth_blockNumber', method))).toEqual({
        status: 403,
        body: { error: `calls.1.method: the console does not call ${method}` },
      });
    expect(asked).toEqual([]);
    expect(
      [...READ_METHODS].filter((method) => /send|sign|propose|add|remove|set|personal/i.test(method)),
    ).toEqual([
      // It names the validators that signed a block.
      'ibft_getSignersFromBlock',
    ]);
  });

  it('cannot name one method to the console and another to the node', async () => {
    const console = await start();
    const twice = '[{"method":"eth_sendRawTransaction","method":"eth_blockNumber","Method":"x","params":[]}]';
    expect((await post(console, twice)).status).toBe(200);
    expect(asked[0]?.body).toBe('[{"jsonrpc":"2.0","id":0,"method":"eth_blockNumber","params":[]}]');
    expect((await post(console, '[{"method":"ETH_blockNumber","params":[]}]')).status).toBe(403);
  });

  it.each([
    ['no array', '{"method":"eth_blockNumber","params":[]}', 400],
    ['nothing', '[]', 400],
    ['no JSON', '[{', 400],
    ['a method that is not text', '[{"method":1,"params":[]}]', 400],
    ['101 calls', JSON.stringify(Array(101).fill({ method: 'eth_blockNumber', params: [] })), 400],
    ['300 kB', JSON.stringify([{ method: 'eth_call', params: ['x'.repeat(300_000)] }]), 413],
    ['a hundred thousand brackets', `${'['.repeat(100_000)}`, 400],
  ])('are refused with %s', async (_, body, status) => {
    expect((await post(await start(), body)).status).toBe(status);
    expect(asked).toEqual([]);
  });

  it('are refused for unknown nodes, and in a form that other pages can send', async () => {
    const console = await start();
    expect((await post(console, calls('eth_blockNumber'), {}, 'node9')).status).toBe(404);
    expect((await post(console, calls('eth_blockNumber'), { 'content-type': 'text/plain' })).status).toBe(
      400,
    );
    expect((await post(console, calls('eth_blockNumber'), { origin: 'http://evil.example' })).status).toBe(
      403,
    );
  });

  it.each([
    ['a status', { status: 401, body: '' }, 'node0 answers with HTTP status 401'],
    ['too many bytes', { body: 'x'.repeat(8_400_000) }, 'node0 answers with more than 8388608 bytes'],
  ])('say why there is no answer: %s', async (_, given, error) => {
    const console = await start();
    answer = () => given;
    expect(await post(console, calls('eth_blockNumber'))).toEqual({ status: 502, body: { error } });
  });

  it('of a node that is gone say so, without its address', async () => {
    const console = await startConsole([{ name: 'node0', rpc: 'http://127.0.0.1:1' }]);
    running.push(console);
    expect(await post(console, calls('eth_blockNumber'))).toEqual({
      status: 502,
      body: { error: 'node0 cannot be reached' },
    });
  });
});

describe('callers', () => {
  it('show tokens, which permit methods; the console shows its own to the node', async () => {
    const key = createTokenKey();
    await writeFile(join(folder, 'key.pub'), tokenPublicKey(key));
    await writeFile(join(folder, 'token'), 'the.consoles.token');
    const console = await start(
      '--auth-jwt-key-file',
      join(folder, 'key.pub'),
      '--node-token-file',
      join(folder, 'token'),
    );
    expect((await fetch(`${console.url}/`)).status).toBe(200);
    expect((await fetch(`${console.url}/api/network`)).status).toBe(401);
    expect((await post(console, calls('eth_blockNumber'))).status).toBe(401);
    const claims = { caller: 'reader', permissions: ['eth_*'], lifetimeSeconds: 600 };
    const authorization = `Bearer ${await issueToken(key, claims)}`;
    expect((await post(console, calls('eth_blockNumber'), { authorization })).status).toBe(200);
    expect(await post(console, calls('net_peerCount'), { authorization })).toEqual({
      status: 403,
      body: { error: 'calls.0.method: your token does not permit net_peerCount' },
    });
    expect(asked.map((one) => one.authorization)).toEqual(['Bearer the.consoles.token']);
  });
});

describe('the page', () => {
  it('comes with a policy that lets only its own files run, whatever the view', async () => {
    const { url } = await start();
    for (const path of ['/', '/blocks/12', '/nothing', '/index.html']) {
      const response = await fetch(url + path);
      expect({ path, status: response.status }).toEqual({ path, status: 200 });
      expect(response.headers.get('content-security-policy')).toMatch(
        /^default-src 'none'; script-src 'self'; style-src 'self'; .*frame-ancestors 'none'$/,
      );
      expect(response.headers.get('x-content-type-options')).toBe('nosniff');
      expect(await response.text()).not.toMatch(
        /<script(?! type="module" src="\/assets\/)|\s(?:style|on\w+)=/,
      );
    }
  });

  it('is 300 kB at most as it is sent, in files that may be kept', async () => {
    const { url } = await start();
    const html = await (await fetch(url)).text();
    const paths = [...html.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(([, path = '']) => path);
    expect(paths).toHaveLength(2);
    const sizes = await Promise.all(
      paths.map(async (path) => {
        const response = await fetch(url + path, { headers: { 'accept-encoding': 'br' } });
        expect(response.headers.get('cache-control')).toContain('immutable');
        const again = await fetch(url + path, {
          headers: { 'if-none-match': response.headers.get('etag') ?? '' },
        });
        expect(again.status).toBe(304);
        return Number(response.headers.get('content-length'));
      }),
    );
    expect(sizes.reduce((sum, size) => sum + size)).toBeLessThan(300_000);
  });

  it('sends nothing else from the disk', async () => {
    const { url } = await start();
    const statusOf = (path: string, method = 'GET') =>
      new Promise<number | undefined>((done, fail) => {
        const { port } = new URL(url);
        // Sends the path as it is, which fetch would not.
        httpRequest({ host: '127.0.0.1', port, path, method }, (response) => {
          response.resume();
          done(response.statusCode);
        })
          .once('error', fail)
          .end();
      });
    expect(await statusOf('/assets/../../package.json')).toBe(404);
    expect(await statusOf('/assets/%2e%2e/index.html')).toBe(404);
    expect(await statusOf('/', 'DELETE')).toBe(405);
    expect(await statusOf('/', 'HEAD')).toBe(200);
  });
});
