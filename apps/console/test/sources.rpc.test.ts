import { createServer, type Server } from 'node:http';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { createTokenKey, issueToken, tokenPublicKey } from '@tetrad/service';
import { standardInput } from './compiled-contract.js';
import { startConsole, type RunningConsole } from './running-console.js';

const ADDRESS = `0x${'ab'.repeat(20)}`;

/** A node that answers with this for the code of every account. */
let node: Server;
let code: string;
let asked: unknown;
let folder: string;
const running: RunningConsole[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tetrad-sources-'));
  node = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      asked = JSON.parse(body);
      response.end(
        JSON.stringify([
          code === '' ? { id: 0, error: { code: 1, message: 'no' } } : { id: 0, result: code },
        ]),
      );
    });
  });
  await new Promise<void>((done) => node.listen(0, '127.0.0.1', done));
});
afterEach(async () => {
  for (const one of running.splice(0)) await one.stop();
});
afterAll(async () => {
  node.close();
  await rm(folder, { recursive: true, force: true });
});

async function start(...flags: string[]): Promise<RunningConsole> {
  code = '0x00';
  const rpc = `http://127.0.0.1:${(node.address() as AddressInfo).port}`;
  const started = await startConsole([{ name: 'node0', rpc }], flags);
  running.push(started);
  return started;
}

async function verify(
  { url }: RunningConsole,
  body: string,
  {
    name = 'node0',
    address = ADDRESS,
    headers = {},
  }: { name?: string; address?: string; headers?: object } = {},
) {
  const response = await fetch(`${url}/api/nodes/${name}/sources/${address}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body,
  });
  return { status: response.status, body: (await response.json()) as { error?: string } };
}

describe('sources that a reader sends', () => {
  it('are compared with the code that the node has', async () => {
    const one = await start();
    const { status, body } = await verify(one, standardInput('Token'));
    expect(asked).toEqual([{ jsonrpc: '2.0', id: 0, method: 'eth_getCode', params: [ADDRESS, 'latest'] }]);
    expect({ status, body }).toEqual({
      status: 200,
      body: { compiler: expect.stringMatching(/^0\.8\.37/), matches: [] },
    });
  });

  it('are refused for an account without code, at a node that refuses, and where there is no such node', async () => {
    const one = await start();
    code = '0x';
    expect(await verify(one, '{}')).toMatchObject({
      status: 404,
      body: { error: expect.stringContaining('no code') },
    });
    code = '';
    expect(await verify(one, '{}')).toMatchObject({ status: 404 });
    code = '0x00';
    expect(await verify(one, '{}', { address: '0x12' })).toMatchObject({ status: 400 });
    expect(await verify(one, '{}', { name: 'other' })).toMatchObject({ status: 404 });
    expect(await verify(one, '{}')).toMatchObject({
      status: 400,
      body: { error: 'language: must be "Solidity"' },
    });
    expect(await verify(one, '{}', { headers: { 'content-type': 'text/plain' } })).toMatchObject({
      status: 400,
    });
  });

  it('are refused beyond the bound', async () => {
    const one = await start();
    expect(await verify(one, ' '.repeat(2_097_153))).toMatchObject({ status: 413 });
  });

  it('are not taken where the operator has switched it off, which the page learns', async () => {
    const one = await start('--verify-sources', 'false');
    expect(await verify(one, '{}')).toEqual({
      status: 404,
      body: { error: 'this console verifies no sources' },
    });
    const network = await (await fetch(`${one.url}/api/network`)).json();
    expect(network).toMatchObject({ verifiesSources: false });
  });

  it('need a token that permits reading code', async () => {
    const key = createTokenKey();
    const file = join(folder, 'key.pem');
    await writeFile(file, tokenPublicKey(key));
    const one = await start('--auth-jwt-key-file', file);
    const headersOf = async (permissions: readonly string[]) => ({
      headers: {
        authorization: `Bearer ${await issueToken(key, { caller: 'reader', permissions, lifetimeSeconds: 600 })}`,
      },
    });
    expect(await verify(one, '{}')).toMatchObject({ status: 401 });
    expect(await verify(one, '{}', await headersOf(['eth_blockNumber']))).toMatchObject({ status: 403 });
    expect(await verify(one, '{}', await headersOf(['eth_*']))).toMatchObject({ status: 400 });
  });
});
