import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { SignJWT, exportSPKI, generateKeyPair, type CryptoKey } from 'jose';
import { WebSocket } from 'ws';
import { startNode, type RunningNode } from '../../running-node.js';

/** A request with any headers, which `fetch` would not let through. */
function send(url: string, method: string, headers: Record<string, string>): Promise<number> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: [`0x${'ab'.repeat(20)}`, true] });
  return new Promise((done, fail) => {
    const sent = httpRequest(url, { method: 'POST', headers }, (response) => {
      response.resume();
      done(response.statusCode ?? 0);
    });
    sent.on('error', fail);
    sent.end(body);
  });
}

describe('a web page of another origin', () => {
  let node: RunningNode;
  beforeAll(async () => {
    node = await startNode(['--cors-origins', 'https://app.example']);
  });
  afterAll(() => node.stop());

  const json = { 'content-type': 'application/json' };
  const candidates = () => node.result<object>('ibft_candidates');

  it('cannot cast a vote, whatever the content type of its body', async () => {
    const foreign = { origin: 'https://evil.example' };
    expect(await send(node.url, 'ibft_propose', foreign)).toBe(403);
    expect(await send(node.url, 'ibft_propose', { ...foreign, 'content-type': 'text/plain' })).toBe(403);
    expect(await send(node.url, 'ibft_propose', { ...foreign, ...json })).toBe(403);
    expect(await send(node.url, 'ibft_propose', { origin: 'null', ...json })).toBe(403);
    expect(await candidates()).toEqual({});
  });

  it('differs from a program by its origin, not by the content type', async () => {
    for (const headers of [{}, { 'content-type': 'text/plain;charset=UTF-8' }])
      expect(await send(node.url, 'ibft_candidates', headers)).toBe(200);
    expect(await send(node.url, 'ibft_candidates', { 'content-type': 'text/plain;charset=utf-16' })).toBe(
      415,
    );
  });

  it('may call when it is listed, and opens no WebSocket when it is not', async () => {
    expect(await send(node.url, 'ibft_propose', { origin: 'https://app.example', ...json })).toBe(200);
    expect(Object.keys(await candidates())).toHaveLength(1);
    const socket = new WebSocket(node.webSocketUrl, { origin: 'https://evil.example' });
    const [error] = (await once(socket, 'error')) as [Error];
    expect(error.message).toContain('403');
  });
});

describe('a WebSocket with a token', () => {
  let folder: string;
  let node: RunningNode;
  let privateKey: CryptoKey;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'tetrad-token-'));
    const pair = await generateKeyPair('ES256', { extractable: true });
    ({ privateKey } = pair);
    writeFileSync(join(folder, 'key.pem'), await exportSPKI(pair.publicKey));
    node = await startNode(['--auth-jwt-key-file', join(folder, 'key.pem')]);
  });
  afterAll(async () => {
    await node.stop();
    rmSync(folder, { recursive: true });
  });

  /** Opens a connection with a token of so many seconds; undefined when it expired on the way. */
  async function open(seconds: number): Promise<WebSocket | undefined> {
    const exp = Math.floor(Date.now() / 1_000) + seconds;
    const token = await new SignJWT({ exp, sub: 'desk', permissions: ['eth_*'] })
      .setProtectedHeader({ alg: 'ES256' })
      .sign(privateKey);
    const socket = new WebSocket(node.webSocketUrl, { headers: { authorization: `Bearer ${token}` } });
    return once(socket, 'open').then(
      () => socket,
      () => undefined,
    );
  }

  it('is closed when the token expires, and its subscriptions with it', async () => {
    let socket: WebSocket | undefined;
    // The tolerance of five seconds makes the first last a moment; on a busy host a later one does.
    for (let seconds = -3; socket === undefined; seconds += 2) socket = await open(seconds);
    socket.on('message', () => undefined);
    socket.send(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_subscribe', params: ['newHeads'] }));
    const [code, reason] = (await once(socket, 'close')) as [number, Buffer];
    expect({ code, reason: reason.toString() }).toEqual({ code: 1008, reason: 'the token has expired' });
  });
});
