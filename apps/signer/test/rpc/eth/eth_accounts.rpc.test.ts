import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ACCOUNT, startSigner, type RunningSigner } from '../../running-signer.js';

let signer: RunningSigner;
beforeAll(async () => {
  // Port 9 answers nobody: listing accounts needs no Ethereum client.
  signer = await startSigner({ downstreamPort: 9 });
});
afterAll(() => signer.stop());

describe('eth_accounts', () => {
  it('lists the account of the key file', async () => {
    expect(await signer.call('eth_accounts')).toMatchObject({ status: 200, id: 1, result: [ACCOUNT] });
  });

  it('takes no parameters', async () => {
    expect((await signer.call('eth_accounts', ['x'])).error?.code).toBe(-32602);
  });

  it('is there while the client is not, as is /upcheck', async () => {
    const response = await fetch(`${signer.url}/upcheck`);
    expect([response.status, await response.text()]).toEqual([200, "I'm up!"]);
  });
});
