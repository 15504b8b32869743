import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { verifyMessage } from 'ethers/hash';
import { Transaction } from 'ethers/transaction';
import { KA, KA_ADDRESS, KC, KC_ADDRESS, without } from '../../reference-keys.js';
import { referenceRaw } from '../../reference-raw.js';
import { startSigner, type RpcAnswer, type RunningSigner } from '../../running-signer.js';

describe('eth_accounts', () => {
  let signer: RunningSigner;
  beforeAll(async () => {
    // Port 9 is closed: listing accounts needs no Ethereum client.
    signer = await startSigner({ downstreamPort: 9, privateKey: KA });
  });
  afterAll(() => signer.stop());

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

describe('eth_sign', () => {
  let signer: RunningSigner;
  beforeAll(async () => {
    // Port 9 is closed: signing needs no Ethereum client.
    signer = await startSigner({ downstreamPort: 9, privateKey: KA });
  });
  afterAll(() => signer.stop());

  const sign = (...params: unknown[]) => signer.call('eth_sign', params);

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

describe('eth_signTransaction', () => {
  let signer: RunningSigner;
  beforeAll(async () => {
    signer = await startSigner({ downstreamPort: 9, chainId: 44_844, privateKey: KC });
  });
  afterAll(() => signer.stop());

  const TRANSFER = {
    from: KC_ADDRESS,
    nonce: '0x46',
    gas: '0x7600',
    to: '0x627306090abab3a6e1400e9345bc60c78a8bef57',
    value: '0x2',
    data: '0x0',
  };
  const sign = (transaction: object) => signer.call('eth_signTransaction', [transaction]);

  // SP-52, SP-53
  it.each([
    ['legacy', {}, 52],
    ['dynamic-fee', { maxPriorityFeePerGas: 1, maxFeePerGas: 2 }, 53],
  ])('signs the %s transaction of the reference, without a client', async (_type, fees, scenario) => {
    expect(await sign({ ...TRANSFER, ...fees })).toMatchObject({
      status: 200,
      result: referenceRaw(scenario),
    });
  });

  it('signs with an access list', async () => {
    const { result } = await sign({ ...TRANSFER, accessList: [] });
    expect(Transaction.from(result as string)).toMatchObject({ type: 1, nonce: 0x46 });
  });

  it('signs in batches, each by itself', async () => {
    const batch = [0, 1, 'x'].map((nonce, id) => ({
      id,
      method: 'eth_signTransaction',
      params: [{ ...TRANSFER, nonce }],
    }));
    const { status, text } = await signer.post(JSON.stringify(batch));
    const answers = JSON.parse(text) as RpcAnswer[];
    expect(status).toBe(200);
    expect(answers.slice(0, 2).map(({ result }) => Transaction.from(result as string).nonce)).toEqual([0, 1]);
    expect(answers[2]).toMatchObject({ id: 2, error: { code: -32602, message: 'Invalid params' } });
  });

  it.each([
    ['no nonce', [without(TRANSFER, 'nonce')], 'transaction.nonce'],
    ['a nonce of null', [{ ...TRANSFER, nonce: null }], 'transaction.nonce'],
    ['privateFor', [{ ...TRANSFER, privateFor: ['x'] }], 'transaction.privateFor'],
    ['no sender', [without(TRANSFER, 'from')], 'transaction.from'],
    ['params of null', null, 'transaction'],
  ])('refuses %s', async (_what, params, field) => {
    expect(await signer.call('eth_signTransaction', params)).toMatchObject({
      status: 400,
      error: { code: -32602, message: expect.stringMatching(/^Invalid params(?:: |$)/), data: { field } },
    });
  });

  // SP-76
  it('does not know accounts whose keys are not held', async () => {
    expect(await sign({ ...TRANSFER, from: `0x${'22'.repeat(20)}` })).toMatchObject({
      status: 200,
      error: { code: -32000, message: 'No unlocked account matches the Sender' },
    });
  });

  it('refuses another chain', async () => {
    expect((await sign({ ...TRANSFER, chainId: '0x1' })).error?.data?.reason).toBe('CHAIN_ID_MISMATCH');
  });
});
