import { afterEach, describe, expect, it } from '@jest/globals';
import { Transaction } from 'ethers/transaction';
import { SOME_HASH } from '../../fake-node.js';
import { useFakeNode } from '../../fake-setup.js';
import { BASE, KA_ADDRESS, without } from '../../reference-keys.js';
import { referenceRaw } from '../../reference-raw.js';

const fake = useFakeNode();

const send = (transaction: object) => fake.signer.call('eth_sendTransaction', [transaction]);
const NO_NONCE = without(BASE, 'nonce');

describe('eth_sendTransaction', () => {
  it('signs what the reference signs, and submits it under the caller’s id', async () => {
    const params = [{ ...BASE, nonce: '0x1' }];
    const body = JSON.stringify({ jsonrpc: '2.0', id: 'mine', method: 'eth_sendTransaction', params });
    const { status, text } = await fake.signer.post(body, { authorization: 'Bearer x', host: 'localhost' });
    expect([status, JSON.parse(text)]).toEqual([200, { jsonrpc: '2.0', id: 'mine', result: SOME_HASH }]);
    expect(fake.node.seen).toMatchObject([
      {
        rpc: { jsonrpc: '2.0', id: 'mine', method: 'eth_sendRawTransaction' },
        headers: {
          authorization: 'Bearer x',
          'x-forwarded-host': 'localhost',
          'content-type': 'application/json',
        },
      },
    ]);
    expect(fake.node.submitted()).toEqual([referenceRaw(33)]);
  });

  it.each([
    ['SP-38', { from: '0x7577919ae5df4941180eac211965f275CDCE314D' }],
    ['SP-39', { from: KA_ADDRESS.slice(2) }],
    ['decimal text', { gas: '30400' }],
    ['a JSON integer', { gas: 30400 }],
    ['leading zeros', { gas: '0x0076C0' }],
    ['unknown members', { from: KA_ADDRESS, extra: {}, type: '0x0' }],
    ['the same input', { input: BASE.data }],
    ['input instead of data', { data: undefined, input: BASE.data }],
    ['a recipient without 0x', { to: BASE.to.slice(2) }],
    ['upper-case digits', { to: `0x${BASE.to.slice(2).toUpperCase()}`, value: '0x9184E72A' }],
  ])('reads %s as the same transaction', async (_what, change) => {
    await send(BASE);
    await send({ ...BASE, ...change });
    const [first, second] = fake.node.submitted();
    expect(second).toBe(first);
  });

  it('loses no digit of a JSON integer', async () => {
    const params = [{ ...BASE, nonce: 8 }];
    const body = JSON.stringify({ id: 1, method: 'eth_sendTransaction', params });
    await fake.signer.post(body.replace(`"${BASE.value}"`, '9007199254740993'));
    const [raw] = fake.node.submitted();
    expect(Transaction.from(raw as string).value).toBe(9007199254740993n);
  });

  it('takes the params without their array', async () => {
    await fake.signer.call('eth_sendTransaction', [BASE]);
    await fake.signer.call('eth_sendTransaction', BASE);
    expect(new Set(fake.node.submitted()).size).toBe(1);
  });

  // SP-40, SP-41
  it.each(['', '0x', null])('creates a contract when the recipient is %p', async (to) => {
    await send(without(BASE, 'to'));
    await send({ ...BASE, to });
    const [first, second] = fake.node.submitted();
    expect(second).toBe(first);
  });

  // SP-42, SP-43
  it.each([undefined, null])('takes 90000 gas when it is %p', async (gas) => {
    await send({ ...BASE, gas });
    expect(fake.node.submitted()).toEqual([referenceRaw(42)]);
  });

  it('logs a creation and a call that took 90000 gas, and no transfer', async () => {
    const about = () => fake.signer.complaints.filter(({ message }) => message.includes('90,000'));
    const before = about().length;
    await send({ from: KA_ADDRESS, nonce: '0x21', data: '0x6001' });
    await send({ from: KA_ADDRESS, nonce: '0x22', to: BASE.to, data: '0x01' });
    await send({ from: KA_ADDRESS, nonce: '0x23', to: BASE.to, value: '0x1' });
    await send({ from: KA_ADDRESS, nonce: '0x24', data: '0x6001', gas: '0x15f90' });
    expect(about().slice(before)).toMatchObject([
      { values: { to: 'contract creation', gas: 90_000, hash: SOME_HASH, option: '--estimate-gas' } },
      { values: { to: BASE.to, dataBytes: 1 } },
    ]);
  });

  // SP-45
  it('creates a contract as the reference does', async () => {
    const { data } = Transaction.from(referenceRaw(45));
    await send({ from: KA_ADDRESS, nonce: '0x1', gasPrice: '0x9184e72a000', gas: '0x76c0', data });
    expect(fake.node.submitted()).toEqual([referenceRaw(45)]);
  });

  it('signs with an access list, and with both fees, as ethers reads it', async () => {
    const accessList = [{ address: BASE.to, storageKeys: [SOME_HASH] }];
    await send({ ...NO_NONCE, nonce: 5, accessList });
    await send({ ...NO_NONCE, nonce: 6, maxFeePerGas: '0x5', maxPriorityFeePerGas: '0x2' });
    const [first, second] = fake.node.submitted().map((raw) => Transaction.from(raw as string));
    expect(first).toMatchObject({ type: 1, nonce: 5, chainId: 9n });
    expect(second).toMatchObject({ type: 2, nonce: 6, maxFeePerGas: 5n, maxPriorityFeePerGas: 2n });
  });

  it.each([
    ['an error', 200, { code: -32004, message: 'Upfront cost exceeds account balance', data: [1] }],
    ['an error with a status', 500, { code: -32099, message: 'own' }],
  ])(
    'forwards %s of the client for a given nonce unmodified, after one submission',
    async (_what, status, error) => {
      fake.node.behave(({ rpc }) => ({
        status,
        headers: { Random: ['a', 'b'] },
        body: JSON.stringify({ id: rpc.id, error }),
      }));
      const answer = await fake.signer.post(
        JSON.stringify({ id: 4, method: 'eth_sendTransaction', params: [BASE] }),
      );
      expect([answer.status, answer.text]).toEqual([status, JSON.stringify({ id: 4, error })]);
      expect(answer.rawHeaders).toEqual(expect.arrayContaining(['a', 'b']));
      expect(fake.node.seen).toHaveLength(1);
    },
  );

  it.each([
    ['HTML', { status: 200, body: '<html>busy</html>' }],
    ['a status', { status: 401, body: '' }],
    ['another result', { status: 200, body: '{"result":"VALID"}' }],
  ])('forwards %s of the client unmodified', async (_what, given) => {
    fake.node.behave(() => given);
    const answer = await fake.signer.post(
      JSON.stringify({ id: 4, method: 'eth_sendTransaction', params: [BASE] }),
    );
    expect(answer).toMatchObject({ status: given.status, text: given.body });
  });
});

describe('eth_sendTransaction refuses, and the client hears nothing of it', () => {
  afterEach(() => expect(fake.node.seen).toEqual([]));

  // SP-35, SP-36, SP-19
  it.each([
    '0x1577919ae5df4941180eac211965f275cdce314d0',
    '0xb60e8dd61c5d32be8058bb8eb970870f07233XXX',
    '0x223b55228fb22b89f2216b7222e5522b8222bd22',
  ])('the sender %s, whose key is not held', async (from) => {
    expect(await send({ ...BASE, from })).toMatchObject({
      status: 400,
      error: {
        code: -32000,
        message: 'No unlocked account matches the Sender',
        data: { reason: 'SIGNING_FROM_IS_NOT_AN_UNLOCKED_ACCOUNT' },
      },
    });
  });

  // SP-37, SP-44, and section 5
  it.each([
    ['from', ''],
    ['from', null],
    ['from', 5],
    ['value', 'not numeric'],
    ['value', '1.5'],
    ['value', '-1'],
    ['gas', '0x'],
    ['gas', ''],
    ['gasPrice', '0xzz'],
    ['nonce', 'nine'],
    ['to', '0x12'],
    ['to', 'no-one'],
    ['data', '0xzz'],
    ['maxFeePerGas', {}],
    ['chainId', true],
    ['accessList', 'all'],
  ])('the parameter %s of %p', async (member, value) => {
    expect(await send({ ...BASE, [member]: value })).toMatchObject({
      status: 400,
      error: { code: -32602, message: 'Invalid params', data: { reason: 'INVALID_PARAMS' } },
    });
  });

  // EthSigner would sign these as something else, and libraries show the message only.
  it.each([
    ['privateFor', ['x'], 'is not signed here: use eea_sendTransaction'],
    ['privateFrom', 'x', 'is not signed here'],
    ['mandatoryFor', [], 'is not signed here'],
    ['privacyFlag', 0, 'is not signed here'],
    ['blobVersionedHashes', ['0x01'], 'is not supported'],
    ['maxFeePerBlobGas', '0x1', 'is not supported'],
    ['authorizationList', [{}], 'is not supported'],
    ['type', '0x3', 'is not supported'],
    ['type', 4, 'is not supported'],
    ['input', '0x00', 'must be the same as input when both are given'],
  ])('the parameter %s of %p, with the reason in the message', async (member, value, reason) => {
    const field = `transaction.${member === 'input' ? 'data' : member}`;
    expect(await send({ ...BASE, [member]: value })).toMatchObject({
      status: 400,
      error: {
        code: -32602,
        message: expect.stringMatching(new RegExp(`^Invalid params: ${field}: ${reason}`)),
        data: { reason: 'INVALID_PARAMS', field },
      },
    });
  });

  it.each([[[]], [[BASE, BASE]], [['x']], [null], ['x'], [5]])('params of %p', async (params) => {
    expect(await fake.signer.call('eth_sendTransaction', params)).toMatchObject({
      status: 400,
      error: { code: -32602, message: 'Invalid params' },
    });
  });

  it('data and input that differ', async () => {
    const { error } = await send({ ...BASE, input: '0x00' });
    expect(error).toMatchObject({ code: -32602, data: { field: 'transaction.data' } });
  });

  it('another chain', async () => {
    expect(await send({ ...BASE, chainId: '0x5' })).toMatchObject({
      error: { code: -32000, message: 'Wrong chainId', data: { reason: 'CHAIN_ID_MISMATCH' } },
    });
  });
});
