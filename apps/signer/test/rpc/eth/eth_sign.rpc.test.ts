import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { verifyMessage } from 'ethers/hash';
import { KA, KA_ADDRESS } from '../../reference-keys.js';
import { startSigner, type RunningSigner } from '../../running-signer.js';

let signer: RunningSigner;
beforeAll(async () => {
  // Port 9 is closed: signing needs no Ethereum client.
  signer = await startSigner({ downstreamPort: 9, privateKey: KA });
});
afterAll(() => signer.stop());

const sign = (...params: unknown[]) => signer.call('eth_sign', params);

describe('eth_sign', () => {
  // SP-70
  it('signs the text as the reference does', async () => {
    expect(await sign(KA_ADDRESS, 'some random data to be signed')).toMatchObject({
      status: 200,
      result:
        '0x22cf811d54835be906e45d728dfc8a7a32bb65ce146a4ccb6b689b8d8182a30f19fdb947229991b9dfd63b67fe4ebb59a3d3f8d9ed95b27e0c3d34e1800afbd81b',
    });
  });

  it.each([
    ['bytes', '0xdeadbeaf', Uint8Array.of(0xde, 0xad, 0xbe, 0xaf)],
    ['bytes of odd digits', '0XABC', Uint8Array.of(0x0a, 0xbc)],
    ['text of several bytes a letter', 'é€', 'é€'],
    ['nothing', '', ''],
  ])('signs %s so that ethers finds the signer', async (_what, message, meant) => {
    const { result } = await sign(KA_ADDRESS.slice(2).toUpperCase(), message);
    expect(verifyMessage(meant, result as string).toLowerCase()).toBe(KA_ADDRESS);
    expect(result).toMatch(/^0x[0-9a-f]{128}(?:1b|1c)$/);
  });

  // SP-74
  it.each([
    [null],
    [[]],
    [[KA_ADDRESS]],
    [[KA_ADDRESS, 'a', 'b']],
    [{ address: KA_ADDRESS, data: 'a' }],
    ['x'],
  ])('refuses params of %p', async (params) => {
    expect(await signer.call('eth_sign', params)).toMatchObject({
      status: 400,
      error: { code: -32602, message: 'Invalid params' },
    });
  });

  it('refuses what is not hex after 0x', async () => {
    expect(await sign(KA_ADDRESS, '0xnothex')).toMatchObject({ status: 400, error: { code: -32602 } });
  });

  // SP-75
  it.each([`0x${'22'.repeat(20)}`, `0x${'22'.repeat(64)}`, 'someone'])(
    'does not know %s',
    async (address) => {
      expect(await sign(address, 'a')).toMatchObject({
        status: 200,
        error: {
          code: -32000,
          message: 'No unlocked account matches the Sender',
          data: { reason: 'SIGNING_FROM_IS_NOT_AN_UNLOCKED_ACCOUNT' },
        },
      });
    },
  );
});
