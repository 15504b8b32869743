import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startWallet, type RunningWallet } from './running-wallet.js';

let wallet: RunningWallet;
beforeAll(async () => {
  wallet = await startWallet();
});
afterAll(() => wallet.stop());

const answer = async (body: string) => {
  const { status, text } = await wallet.post(body);
  return { status, body: text === '' ? undefined : (JSON.parse(text) as Record<string, unknown>) };
};

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

  it.each(['/', '/rpc/v2/coin', '/rpc/v1', '/rpc/v1/coin/x'])('has nothing at %s', async (path) => {
    expect((await wallet.post('{}', { path })).status).toBe(404);
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
