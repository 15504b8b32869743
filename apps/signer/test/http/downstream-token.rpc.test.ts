import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { until } from '@tetrad/testkit';
import type { EthereumClient } from '../clients/ethereum-client.js';
import { startOurNode } from '../clients/our-node.js';
import { ACCOUNT, startSigner, type RunningSigner } from '../running-signer.js';
import { TokenAccess } from '../token-access.js';

const TRANSFER = { from: ACCOUNT, to: `0x${'ab'.repeat(20)}`, gas: '0x5208', gasPrice: '0x0', value: '0x1' };

let access: TokenAccess;
let node: EthereumClient;
beforeAll(async () => {
  access = await TokenAccess.make();
  node = await startOurNode({ owner: ACCOUNT, access });
});
afterAll(async () => {
  await node?.stop();
  await access?.remove();
});

async function withSigner(flags: readonly string[], work: (signer: RunningSigner) => Promise<void>) {
  const signer = await startSigner({ downstreamPort: node.port, flags });
  try {
    await work(signer);
  } finally {
    await signer.stop();
  }
}

describe('a signer in front of a node that requires a token', () => {
  it('sends the token of its file with what it sends itself and with what it forwards', async () => {
    await withSigner(['--downstream-http-token-file', access.tokenFile], async (signer) => {
      const { result } = await signer.call('eth_sendTransaction', [TRANSFER]);
      expect(await node.mined(result)).toMatchObject({ status: '0x1' });
      expect(await signer.call('eth_chainId')).toMatchObject({ status: 200, result: '0x539' });
    });
  });

  it('does not forward the token of a caller instead of its own', async () => {
    await withSigner(['--downstream-http-token-file', access.tokenFile], async (signer) => {
      const body = '{"jsonrpc":"2.0","id":1,"method":"eth_chainId"}';
      expect(await signer.post(body, { authorization: 'Bearer of.the.caller' })).toMatchObject({
        status: 200,
      });
    });
  });

  it('forwards the rejection of the node when it has no token', async () => {
    await withSigner([], async (signer) => {
      expect((await signer.call('eth_chainId')).status).toBe(401);
    });
  });

  it('takes a token that replaces the one in the file, without a restart and without logging it', async () => {
    const narrow = await access.tokenFor(['eth_chainId']);
    await withSigner(['--downstream-http-token-file', access.tokenFile], async (signer) => {
      const isAllowed = async () => (await signer.call('eth_blockNumber')).error === undefined;
      expect(await isAllowed()).toBe(true);
      await access.write(narrow);
      await until(async () => !(await isAllowed()));
      await access.write('no-token-at-all');
      await until(async () => (await signer.call('eth_chainId')).status === 401);
      await access.write(access.token);
      await until(isAllowed);
      const logged = JSON.stringify(signer.complaints);
      for (const token of [narrow, access.token, 'no-token-at-all']) expect(logged).not.toContain(token);
    });
  });

  it('does not start without the file', async () => {
    const missing = `${access.tokenFile}.none`;
    await expect(
      withSigner(['--downstream-http-token-file', missing], async () => undefined),
    ).rejects.toThrow(`--downstream-http-token-file: cannot read ${missing}`);
  });
});
