import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { WebSocket } from 'ws';
import { SECP, startWallet, type RunningWallet } from './running-wallet.js';

let wallet: RunningWallet;
beforeAll(async () => {
  wallet = await startWallet([SECP], ['--rpc-alias', 'Filecoin=Coin']);
});
afterAll(() => wallet.stop());

const answer = async (body: string) => {
  const { status, text } = await wallet.post(body);
  return { status, body: text === '' ? undefined : (JSON.parse(text) as Record<string, unknown>) };
};

const dial = (path: string, options = {}) =>
  new WebSocket(`${wallet.url.replace('http:', 'ws:')}${path}`, options);

describe('the wallet as a JSON-RPC server', () => {
  it('answers a body that is not JSON with -32700, id null and HTTP 200 (WP-71)', async () => {
    expect(await answer('{')).toMatchObject({ status: 200, body: { id: null, error: { code: -32700 } } });
  });

  it('answers an unknown method with -32601 (WP-70)', async () => {
    expect(await answer('{"jsonrpc":"2.0","id":1,"method":"Coin.Foo"}')).toMatchObject({
      status: 200,
      body: { id: 1, error: { code: -32601 } },
    });
    expect((await wallet.call('coin.WalletList')).error?.code).toBe(-32601);
  });

  it('answers an empty batch with -32600 and a notification with nothing', async () => {
    expect(await answer('[]')).toMatchObject({ status: 200, body: { error: { code: -32600 } } });
    expect(await answer('{"jsonrpc":"2.0","method":"Coin.WalletList"}')).toEqual({
      status: 204,
      body: undefined,
    });
  });

  it('closes a connection that asks for a WebSocket elsewhere, though the client keeps its side open', async () => {
    const { hostname: host, port } = new URL(wallet.url);
    const client = connect({ host, port: Number(port), allowHalfOpen: true });
    const closed = new Promise<void>((done) =>
      client.on('error', () => undefined).once('close', () => done()),
    );
    client
      .resume()
      .write('GET / HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n');
    await once(client, 'end');
    // A server that has closed its side resets the connection; one that has not takes what comes.
    const writing = setInterval(() => client.write('still here'), 10);
    await closed;
    clearInterval(writing);
  });

  it.each(['/', '/rpc/v2/coin', '/rpc/v1/coin/x', '/rpc'])('has nothing at %s', async (path) => {
    expect((await wallet.post('{}', { path })).status).toBe(404);
    const [error] = (await once(dial(path), 'error')) as [Error];
    expect(error.message).toContain('404');
  });

  it('is called with POST', async () => {
    expect((await fetch(`${wallet.url}/rpc/v1/coin`)).status).toBe(405);
  });

  it('says on its operations port that it is ready, and counts', async () => {
    await wallet.call('Coin.WalletList');
    const [ready, metrics] = [
      await fetch(`${wallet.opsUrl}/readyz`),
      await fetch(`${wallet.opsUrl}/metrics`),
    ];
    expect(await ready.json()).toEqual({ ready: true, notReady: {} });
    expect(await metrics.text()).toMatch(/wallet_rpc_calls_total\{method="Coin.WalletList"\} [1-9]/);
  });
});

/** The frames of go-jsonrpc: ids are numbers, `meta` carries a trace, and a cancellation has no id. */
describe('a Lotus node that dials the wallet', () => {
  const frame = (id: number, name: string, params: readonly unknown[]) =>
    JSON.stringify({ jsonrpc: '2.0', id, method: `Filecoin.${name}`, params, meta: { SpanContext: 'AAA=' } });

  it.each(['/rpc/v0', '/rpc/v1'])('over a WebSocket at %s finds keys and has them sign', async (path) => {
    const socket = dial(path);
    await once(socket, 'open');
    const answers: unknown[] = [];
    const answered = new Promise<void>((done) => {
      socket.on('message', (data: Buffer) => {
        if (answers.push(JSON.parse(data.toString())) === 3) done();
      });
    });
    socket.send(JSON.stringify({ jsonrpc: '2.0', method: 'xrpc.cancel', params: [7] }));
    socket.send(frame(1, 'WalletHas', [SECP.address]));
    socket.send(frame(2, 'WalletList', []));
    socket.send(frame(3, 'WalletSign', [SECP.address, 'AQID', { Type: 'unknown', Extra: null }]));
    await answered;
    socket.close();
    const byId = (answers as { id: number }[]).sort((a, b) => a.id - b.id);
    expect(byId).toEqual([
      { jsonrpc: '2.0', id: 1, result: true },
      { jsonrpc: '2.0', id: 2, result: [SECP.address.replace(/^t/, 'f')] },
      { jsonrpc: '2.0', id: 3, result: { Type: 1, Data: expect.any(String) } },
    ]);
  });

  it.each(['/rpc/v0', '/rpc/v1'])('over HTTP at %s is answered whatever its content type', async (path) => {
    for (const type of ['text/plain;charset=UTF-8', 'application/x-www-form-urlencoded']) {
      const sent = { method: 'POST', headers: { 'content-type': type }, body: frame(1, 'WalletList', []) };
      const answer = await fetch(`${wallet.url}${path}`, sent);
      expect([answer.status, await answer.json()]).toMatchObject([200, { result: [expect.any(String)] }]);
    }
  });

  it('is no page of another origin', async () => {
    const origin = 'https://evil.example';
    const headers = { 'content-type': 'text/plain', origin };
    const sent = { method: 'POST', headers, body: frame(1, 'WalletList', []) };
    expect((await fetch(`${wallet.url}/rpc/v0`, sent)).status).toBe(403);
    const [error] = (await once(dial('/rpc/v0', { origin }), 'error')) as [Error];
    expect(error.message).toContain('403');
  });
});
