import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Transaction } from 'ethers/transaction';
import { KC, KC_ADDRESS, without } from '../../reference-keys.js';
import { referenceRaw } from '../../reference-raw.js';
import { startSigner, type RpcAnswer, type RunningSigner } from '../../running-signer.js';

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

describe('eth_signTransaction', () => {
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
      error: { code: -32602, message: 'Invalid params', data: { field } },
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
