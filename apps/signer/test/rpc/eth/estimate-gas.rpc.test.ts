import { describe, expect, it } from '@jest/globals';
import { Transaction } from 'ethers/transaction';
import { errorOf, obliging, resultOf, SOME_HASH } from '../../fake-node.js';
import { REFERENCE, useFakeNode } from '../../fake-setup.js';
import { BASE, KA_ADDRESS } from '../../reference-keys.js';

const fake = useFakeNode({ ...REFERENCE, flags: ['--estimate-gas'] });

const CREATION = { from: KA_ADDRESS, data: '0x6001', value: 7, nonce: '0x31' };
const send = (transaction: object, headers = {}) =>
  fake.signer.post(
    JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_sendTransaction', params: [transaction] }),
    headers,
  );
const estimating = (gas: string) =>
  fake.node.behave((request, response) =>
    request.rpc.method === 'eth_estimateGas' ? resultOf(request, gas) : obliging(request, response),
  );
const methods = () => fake.node.seen.map(({ rpc }) => rpc.method);
const gasOfLast = () => Transaction.from(fake.node.submitted().at(-1) as string).gasLimit;

describe('a signer with --estimate-gas', () => {
  it('asks the client for the gas of a transaction without any, on behalf of the caller', async () => {
    estimating('0x3d090');
    expect((await send(CREATION, { authorization: 'Bearer x' })).status).toBe(200);
    expect(gasOfLast()).toBe(250_000n);
    const [asked] = fake.node.seen;
    expect(asked).toMatchObject({
      headers: { authorization: 'Bearer x' },
      rpc: {
        method: 'eth_estimateGas',
        params: [{ from: KA_ADDRESS.toLowerCase(), data: '0x6001', value: '0x7', nonce: '0x31' }],
      },
    });
    expect(fake.signer.complaints.filter(({ message }) => message.includes('90,000'))).toEqual([]);
  });

  it('takes the gas that is given, and signs without asking for eth_signTransaction', async () => {
    estimating('0x3d090');
    await send({ ...CREATION, nonce: '0x32', gas: '0x5208' });
    expect(gasOfLast()).toBe(21_000n);
    await fake.signer.call('eth_signTransaction', [CREATION]);
    expect(methods()).toEqual(['eth_sendRawTransaction']);
  });

  it('forwards the revert that the client found, and signs nothing', async () => {
    fake.node.behave((request) => errorOf(request, 3, 'execution reverted: no'));
    const { status, text } = await send({ ...CREATION, nonce: undefined });
    expect([status, JSON.parse(text)]).toMatchObject([
      200,
      { id: 1, error: { code: 3, message: 'execution reverted: no' } },
    ]);
    expect(methods()).toEqual(['eth_estimateGas']);
  });

  it('does not ask for a sender whose key it does not hold', async () => {
    estimating('0x3d090');
    expect((await send({ ...CREATION, from: BASE.to })).status).toBe(400);
    expect(fake.node.seen).toEqual([]);
  });

  it('knows a repeated request by its idempotency key, whatever the estimate is then', async () => {
    const key = { 'idempotency-key': 'once' };
    estimating('0x3d090');
    const first = await send({ ...CREATION, nonce: undefined }, key);
    estimating('0x4d090');
    const second = await send({ ...CREATION, nonce: undefined }, key);
    expect([first, second].map(({ text }) => JSON.parse(text) as object)).toMatchObject([
      { result: SOME_HASH },
      { result: SOME_HASH },
    ]);
    expect(fake.node.submitted()).toEqual([]);
  });
});
