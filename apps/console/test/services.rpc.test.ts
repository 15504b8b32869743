import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { nodeMethods, nodeStandardMethods } from '@tetrad/api-node';
import { rollupOperatorMethods, rollupQueueMethods } from '@tetrad/api-rollup-operator';
import { signerMethods, signerRestMethods, signerStandardMethods } from '@tetrad/api-signer';
import { walletMethods } from '@tetrad/api-wallet';
import { METHODS_OF_KIND } from '@tetrad/console';
import { writeEndpointsFile, type Endpoints } from '@tetrad/devnet';
import { createTokenKey, issueToken, tokenPublicKey } from '@tetrad/service';
import { ZERO_ADDRESS } from '@tetrad/types';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { SECRETS, startConsole, type DescribedServices, type RunningConsole } from './running-console.js';

const CONTRACT = `0x${'c0'.repeat(20)}`;
const KINDS = ['rollup', 'signer', 'wallet'] as const;
type Kind = (typeof KINDS)[number];

/** What each service serves, what it must not be asked included; a signer forwards all methods of a node. */
const SERVED: Readonly<Record<Kind, readonly string[]>> = {
  rollup: Object.keys({ ...rollupOperatorMethods, ...rollupQueueMethods }),
  signer: Object.keys({
    ...signerMethods,
    ...signerStandardMethods,
    ...signerRestMethods,
    ...nodeMethods,
    ...nodeStandardMethods,
  }),
  wallet: Object.keys(walletMethods),
};

/** One server in the place of all services: it keeps what it was asked, and answers as the test wants. */
let upstream: Server;
let asked: { path: string | undefined; methods: string[]; authorization: string | undefined }[] = [];
let answer: string | undefined;
let folder: string;
let console: RunningConsole | undefined;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tetrad-console-services-'));
  upstream = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      const calls = JSON.parse(body) as { id: number; method: string }[];
      const { authorization } = request.headers;
      asked.push({ path: request.url, methods: calls.map(({ method }) => method), authorization });
      response.end(answer ?? JSON.stringify(calls.map(({ id }) => ({ id, result: 'done' }))));
    });
  });
  await new Promise<void>((done) => upstream.listen(0, '127.0.0.1', done));
});
afterEach(async () => {
  await console?.stop();
  [console, answer] = [undefined, undefined];
});
afterAll(async () => {
  upstream.close();
  await rm(folder, { recursive: true, force: true });
});

const upstreamUrl = () => `http://127.0.0.1:${(upstream.address() as AddressInfo).port}`;
const allServices = (): DescribedServices => ({
  rollup: { rpc: upstreamUrl(), contract: CONTRACT },
  signer: { rpc: upstreamUrl() },
  wallet: { rpc: upstreamUrl(), path: '/rpc/v1/coin' },
});

async function start(services = allServices(), flags: readonly string[] = []): Promise<RunningConsole> {
  asked = [];
  console = await startConsole([{ name: 'node0', rpc: upstreamUrl() }], flags, services);
  return console;
}

async function ask({ url }: RunningConsole, kind: string, methods: string[], authorization = '') {
  const response = await fetch(`${url}/api/${kind}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(authorization === '' ? {} : { authorization }) },
    body: JSON.stringify(methods.map((method) => ({ method, params: [] }))),
  });
  return { status: response.status, text: await response.text() };
}

const refusal = (status: number, error: string) => ({ status, text: JSON.stringify({ error }) });

describe('services besides the nodes', () => {
  it('are there by kind, without their addresses and keys', async () => {
    const { url } = await start();
    const text = await (await fetch(`${url}/api/network`)).text();
    expect(JSON.parse(text)).toMatchObject({
      rollup: { contract: CONTRACT },
      hasSigner: true,
      hasWallet: true,
    });
    for (const secret of [...SECRETS, upstreamUrl(), 'coin']) expect(text).not.toContain(secret);
  });

  it('are refused where the network has none', async () => {
    const one = await start({});
    expect(await ask(one, 'rollup', ['pazkp_findAccountById'])).toEqual(
      refusal(404, 'the network has no rollup operator'),
    );
    expect(await ask(one, 'signer', ['eth_accounts'])).toEqual(refusal(404, 'the network has no signer'));
    expect(await ask(one, 'wallet', ['Coin.WalletList'])).toEqual(refusal(404, 'the network has no wallet'));
    expect(asked).toEqual([]);
  });

  it.each([
    ['rollup.rpc', { rollup: { rpc: 'ftp://host' } }],
    ['rollup.contract', { rollup: { rpc: 'http://host', contract: '<img>' } }],
    ['signer.rpc', { signer: { rpc: 'host' } }],
    ['wallet.path', { wallet: { rpc: 'http://host', path: '//evil.example/coin' } }],
    ['wallet.path', { wallet: { rpc: 'http://host', path: '/coin?to=1' } }],
  ] as const)('need an endpoints file with a good %s', async (member, services) => {
    await expect(startConsole([{ name: 'a', rpc: 'http://host' }], [], services)).rejects.toThrow(member);
  });
});

it('reads the file as `up` writes it', async () => {
  const pid = process.pid;
  const node = { name: 'node0', rpc: upstreamUrl(), ws: 'ws://127.0.0.1', p2p: null, ptm: null };
  const endpoints: Endpoints = {
    chainId: 1337,
    nodes: [{ ...node, ptmKey: null, enode: 'enode://', address: ZERO_ADDRESS, accounts: [], pid }],
    signer: { rpc: upstreamUrl(), address: ZERO_ADDRESS, pid },
    rollup: { rpc: upstreamUrl(), contract: ZERO_ADDRESS, operatorKey: SECRETS[2] ?? '', pid },
    wallet: { rpc: upstreamUrl(), path: '/rpc/v1/coin', pid },
    funded: [{ address: ZERO_ADDRESS, privateKey: SECRETS[0] ?? '' }],
    database: { url: SECRETS[1] ?? '' },
  };
  const file = join(folder, 'endpoints.json');
  await writeEndpointsFile(file, endpoints);
  console = await startConsole(await readFile(file, 'utf8'));
  const text = await (await fetch(`${console.url}/api/network`)).text();
  expect(JSON.parse(text)).toEqual({
    chainId: 1337,
    nodes: [{ name: 'node0', address: ZERO_ADDRESS, hasManager: false }],
    labels: [],
    rollup: { contract: ZERO_ADDRESS },
    hasSigner: true,
    hasWallet: true,
    verifiesSources: true,
    writes: { node: [], signer: [] },
  });
});

describe.each(KINDS)('calls of the %s', (kind) => {
  it('are passed on to it when they only read', async () => {
    const one = await start();
    const methods = [...METHODS_OF_KIND[kind]];
    for (const method of methods) expect(SERVED[kind]).toContain(method);
    expect((await ask(one, kind, methods)).status).toBe(200);
    expect(asked).toEqual([
      { path: kind === 'wallet' ? '/rpc/v1/coin' : '/', methods, authorization: undefined },
    ]);
  });

  it('are refused by name otherwise, also beside one that reads', async () => {
    const one = await start();
    const [reads = ''] = METHODS_OF_KIND[kind];
    const others = SERVED[kind].filter((method) => !METHODS_OF_KIND[kind].has(method));
    expect(others.length).toBeGreaterThan(3);
    for (const method of others)
      expect(await ask(one, kind, [reads, method])).toEqual(
        refusal(403, `calls.1.method: the console does not call ${method}`),
      );
    expect(asked).toEqual([]);
  });

  it('are no calls of other kinds of services', async () => {
    const one = await start();
    for (const other of KINDS.filter((name) => name !== kind)) {
      const method = [...METHODS_OF_KIND[other]].at(0) ?? '';
      expect((await ask(one, kind, [method])).status).toBe(403);
    }
    expect(asked).toEqual([]);
  });
});

describe('tokens', () => {
  const key = createTokenKey();
  const bearer = async (permissions: string[], accounts?: number[]) =>
    `Bearer ${await issueToken(key, { caller: 'reader', permissions, accounts, lifetimeSeconds: 600 })}`;
  const guarded = async () => {
    await writeFile(join(folder, 'key.pub'), tokenPublicKey(key));
    const flags = ['--auth-jwt-key-file', join(folder, 'key.pub')];
    for (const kind of KINDS) {
      await writeFile(join(folder, kind), `the.${kind}.token`);
      flags.push(`--${kind}-token-file`, join(folder, kind));
    }
    return start(allServices(), flags);
  };

  it('are shown to the services that they are for, and to no other', async () => {
    const one = await guarded();
    const reader = await bearer(['*']);
    for (const kind of KINDS) await ask(one, kind, [[...METHODS_OF_KIND[kind]][0] ?? ''], reader);
    await ask(one, 'nodes/node0', ['eth_blockNumber'], reader);
    const tokens = [...KINDS.map((kind) => `Bearer the.${kind}.token`), undefined];
    expect(asked.map(({ authorization }) => authorization)).toEqual(tokens);
  });

  it('of readers permit methods', async () => {
    const one = await guarded();
    expect((await ask(one, 'signer', ['eth_accounts'])).status).toBe(401);
    expect((await ask(one, 'signer', ['eth_accounts'], await bearer(['eth_*']))).status).toBe(200);
    expect(await ask(one, 'wallet', ['Coin.WalletList'], await bearer(['eth_*']))).toEqual(
      refusal(403, 'calls.0.method: your token does not permit Coin.WalletList'),
    );
  });

  it('of readers that are bound to accounts of the rollup read no other account by the token of the console', async () => {
    const one = await guarded();
    const bound = await bearer(['*'], [4]);
    expect(await ask(one, 'rollup', ['pazkp_getAccountState'], bound)).toEqual(
      refusal(403, 'your token is bound to accounts of the rollup: ask the operator itself'),
    );
    expect(asked).toEqual([]);
    expect((await ask(one, 'signer', ['eth_accounts'], bound)).status).toBe(200);
  });
});

describe('an answer of the rollup operator', () => {
  it('comes without what opens commitments, and with every digit', async () => {
    const one = await start();
    answer =
      '[{"id":0,"result":{"balances":{"1":18446744073709551615},"blindingFactor":"0x77","items":[{"moneyOrder":{"amount":9007199254740993,"blindingFactor":"0x78"}}]}}]';
    const { text } = await ask(one, 'rollup', ['pazkp_getAccountState']);
    expect(JSON.parse(text)).toEqual([
      {
        id: 0,
        result: {
          balances: { '1': '18446744073709551615' },
          items: [{ moneyOrder: { amount: '9007199254740993' } }],
        },
      },
    ]);
  });

  it.each([
    ['no JSON', '<html>'],
    ['a member twice', '[{"id":0,"id":0}]'],
    ['deep lists', `${'['.repeat(1_000)}${']'.repeat(1_000)}`],
  ])('is refused when it is malformed: %s', async (_, text) => {
    const one = await start();
    answer = text;
    expect(await ask(one, 'rollup', ['pazkp_getAccountState'])).toEqual(
      refusal(502, 'the rollup operator answers with what is not JSON'),
    );
  });
});
