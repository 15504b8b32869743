import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { KA, KA_ADDRESS } from '../../reference-keys.js';
import { startSigner, type RunningSigner } from '../../running-signer.js';

let signer: RunningSigner;
beforeAll(async () => {
  // Port 9 is closed: listing accounts needs no Ethereum client.
  signer = await startSigner({ downstreamPort: 9, privateKey: KA });
});
afterAll(() => signer.stop());

describe('eth_accounts', () => {
  it('lists the account of the key file', async () => {
    expect(await signer.call('eth_accounts')).toMatchObject({ status: 200, id: 1, result: [KA_ADDRESS] });
  });

  // SP-03
  it('is answered as web3j asks it, with the header that it looks at', async () => {
    const body = '{"jsonrpc":"2.0","method":"eth_accounts","params":[],"id":77}';
    const { status, text, headers } = await signer.post(body);
    expect([status, JSON.parse(text)]).toEqual([200, { jsonrpc: '2.0', id: 77, result: [KA_ADDRESS] }]);
    expect(headers).toMatchObject({ content: 'application/json', 'content-type': 'application/json' });
  });

  it.each([undefined, null, []])('takes params of %p', async (params) => {
    const body = JSON.stringify({ jsonrpc: '2.0', method: 'eth_accounts', params, id: 1 });
    expect(JSON.parse((await signer.post(body)).text)).toMatchObject({ result: [KA_ADDRESS] });
  });

  it('takes no parameters', async () => {
    expect(await signer.call('eth_accounts', ['x'])).toMatchObject({
      status: 400,
      error: { code: -32602, message: 'Invalid params' },
    });
  });

  it('is there while the client is not, as is /upcheck', async () => {
    const response = await fetch(`${signer.url}/upcheck`);
    expect([response.status, await response.text()]).toEqual([200, "I'm up!"]);
  });
});
