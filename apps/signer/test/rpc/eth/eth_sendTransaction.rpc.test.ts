import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Transaction, keccak256 } from 'ethers';
import {
  SOME_HASH,
  errorOf,
  isForCaller,
  obliging,
  resultOf,
  startFakeNode,
  type FakeNode,
  type SeenRequest,
} from '../../fake-node.js';
import { BASE, KA, KA_ADDRESS, REFERENCE_CHAIN, without } from '../../reference-keys.js';
import { startSigner, type RunningSigner } from '../../running-signer.js';
import { referenceRaw } from '../../reference-raw.js';

let node: FakeNode;
let signer: RunningSigner;
beforeAll(async () => {
  node = await startFakeNode();
  signer = await startSigner({
    downstreamPort: node.port,
    chainId: REFERENCE_CHAIN,
    privateKey: KA,
    flags: ['--downstream-http-request-timeout', '1500'],
  });
}, 60_000);
afterAll(async () => {
  await signer.stop();
  await node.stop();
});
beforeEach(() => node.behave(obliging));

const send = (transaction: object) => signer.call('eth_sendTransaction', [transaction]);
const keccakOf = (raw: unknown) => keccak256(raw as string);
const NO_NONCE = without(BASE, 'nonce');

describe('eth_sendTransaction', () => {
  it('signs what the reference signs, and submits it under the caller’s id', async () => {
    const params = [{ ...BASE, nonce: '0x1' }];
    const body = JSON.stringify({ jsonrpc: '2.0', id: 'mine', method: 'eth_sendTransaction', params });
    const { status, text } = await signer.post(body, { authorization: 'Bearer x', host: 'localhost' });
    expect([status, JSON.parse(text)]).toEqual([200, { jsonrpc: '2.0', id: 'mine', result: SOME_HASH }]);
    expect(node.seen).toMatchObject([
      {
        rpc: { jsonrpc: '2.0', id: 'mine', method: 'eth_sendRawTransaction' },
        headers: {
          authorization: 'Bearer x',
          'x-forwarded-host': 'localhost',
          'content-type': 'application/json',
        },
      },
    ]);
    expect(node.submitted()).toEqual([referenceRaw(33)]);
  });

  it.each([
    ['SP-38', { from: '0x7577919ae5df4941180eac211965f275CDCE314D' }],
    ['SP-39', { from: KA_ADDRESS.slice(2) }],
    ['decimal text', { gas: '30400' }],
    ['a JSON integer', { gas: 30400 }],
    ['leading zeros', { gas: '0x0076C0' }],
    ['unknown members', { from: KA_ADDRESS, extra: {}, type: '0x0' }],
    ['the same input', { input: BASE.data }],
  ])('reads %s as the same transaction', async (_what, change) => {
    await send(BASE);
    await send({ ...BASE, ...change });
    const [first, second] = node.submitted();
    expect(second).toBe(first);
  });

  it('takes the params without their array', async () => {
    await signer.call('eth_sendTransaction', [BASE]);
    await signer.call('eth_sendTransaction', BASE);
    expect(new Set(node.submitted()).size).toBe(1);
  });

  // SP-40, SP-41
  it.each(['', '0x', null])('creates a contract when the recipient is %p', async (to) => {
    await send(without(BASE, 'to'));
    await send({ ...BASE, to });
    const [first, second] = node.submitted();
    expect(second).toBe(first);
  });

  // SP-42, SP-43
  it.each([undefined, null])('takes 90000 gas when it is %p', async (gas) => {
    await send({ ...BASE, gas });
    expect(node.submitted()).toEqual([referenceRaw(42)]);
  });

  // SP-45
  it('creates a contract as the reference does', async () => {
    const { data } = Transaction.from(referenceRaw(45));
    await send({ from: KA_ADDRESS, nonce: '0x1', gasPrice: '0x9184e72a000', gas: '0x76c0', data });
    expect(node.submitted()).toEqual([referenceRaw(45)]);
  });

  it('signs with an access list, and with both fees, as ethers reads it', async () => {
    const accessList = [{ address: BASE.to, storageKeys: [SOME_HASH] }];
    await send({ ...NO_NONCE, nonce: 5, accessList });
    await send({ ...NO_NONCE, nonce: 6, maxFeePerGas: '0x5', maxPriorityFeePerGas: '0x2' });
    const [first, second] = node.submitted().map((raw) => Transaction.from(raw as string));
    expect(first).toMatchObject({ type: 1, nonce: 5, chainId: 9n });
    expect(second).toMatchObject({ type: 2, nonce: 6, maxFeePerGas: 5n, maxPriorityFeePerGas: 2n });
  });

  it.each([
    ['an error', 200, { code: -32004, message: 'Upfront cost exceeds account balance', data: [1] }],
    ['an error with a status', 500, { code: -32099, message: 'own' }],
  ])('hands on %s of the client to a given nonce as it came, once', async (_what, status, error) => {
    node.behave(({ rpc }) => ({
      status,
      headers: { Random: ['a', 'b'] },
      body: JSON.stringify({ id: rpc.id, error }),
    }));
    const answer = await signer.post(
      JSON.stringify({ id: 4, method: 'eth_sendTransaction', params: [BASE] }),
    );
    expect([answer.status, answer.text]).toEqual([status, JSON.stringify({ id: 4, error })]);
    expect(answer.rawHeaders).toEqual(expect.arrayContaining(['a', 'b']));
    expect(node.seen).toHaveLength(1);
  });

  it.each([
    ['HTML', { status: 200, body: '<html>busy</html>' }],
    ['a status', { status: 401, body: '' }],
    ['another result', { status: 200, body: '{"result":"VALID"}' }],
  ])('hands on %s of the client as it came', async (_what, given) => {
    node.behave(() => given);
    const answer = await signer.post(
      JSON.stringify({ id: 4, method: 'eth_sendTransaction', params: [BASE] }),
    );
    expect(answer).toMatchObject({ status: given.status, text: given.body });
  });
});

describe('eth_sendTransaction refuses, and the client hears nothing of it', () => {
  afterEach(() => expect(node.seen).toEqual([]));

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
    ['to', 'nobody'],
    ['data', '0xzz'],
    ['maxFeePerGas', {}],
    ['chainId', true],
    ['accessList', 'all'],
    ['privateFor', ['x']],
    ['privateFrom', 'x'],
    ['mandatoryFor', []],
    ['privacyFlag', 0],
    ['blobVersionedHashes', ['0x01']],
  ])('the parameter %s of %p', async (member, value) => {
    expect(await send({ ...BASE, [member]: value })).toMatchObject({
      status: 400,
      error: { code: -32602, message: 'Invalid params', data: { reason: 'INVALID_PARAMS' } },
    });
  });

  it.each([[[]], [[BASE, BASE]], [['x']], [null], ['x'], [5]])('params of %p', async (params) => {
    expect(await signer.call('eth_sendTransaction', params)).toMatchObject({
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

/** A signer that has not seen a nonce yet. */
const startFresh = () => startSigner({ downstreamPort: node.port, chainId: REFERENCE_CHAIN, privateKey: KA });

const isLookup = (request: SeenRequest) =>
  isForCaller(request) && request.rpc.method === 'eth_getTransactionCount';

const nonces = () => node.submitted().map((raw) => Transaction.from(raw as string).nonce);

describe('eth_sendTransaction without a nonce', () => {
  // SP-33, SP-34
  it.each([undefined, null])('asks for the nonce when it is %p', async (nonce) => {
    const fresh = await startFresh();
    await fresh.call('eth_sendTransaction', [{ ...BASE, nonce }]);
    await fresh.stop();
    expect(node.seen.find(isLookup)?.rpc).toEqual({
      jsonrpc: '2.0',
      id: 0,
      method: 'eth_getTransactionCount',
      params: [KA_ADDRESS, 'pending'],
    });
    expect(node.submitted()).toEqual([referenceRaw(33)]);
  });

  // SP-47, SP-48, and the words of other clients
  it.each([
    [-32001, 'Nonce too low'],
    [-32000, 'Known transaction'],
    [-32000, 'Replacement transaction underpriced'],
    [-32000, 'nonce too low: next nonce 1, tx nonce 0'],
    [-32000, 'replacement transaction underpriced'],
  ])('takes the next one when the client says %i %s', async (code, message) => {
    const fresh = await startFresh();
    let [counts, raws] = [0, 0];
    node.behave((request, response) => {
      if (isLookup(request)) return resultOf(request, `0x${counts++}`);
      if (request.rpc.method === 'eth_getTransactionByHash') return resultOf(request, null);
      return raws++ === 0 ? errorOf(request, code, message) : obliging(request, response);
    });
    const answer = await fresh.call('eth_sendTransaction', [NO_NONCE]);
    await fresh.stop();
    expect(answer).toMatchObject({ status: 200, result: SOME_HASH });
    expect(nonces()).toEqual([0, 1]);
    expect(node.submitted()[1]).toBe(referenceRaw(33));
  });

  it.each(['already known', 'Already known'])('is sent when the client says %s', async (message) => {
    const fresh = await startFresh();
    node.behave((request, response) =>
      request.rpc.method === 'eth_sendRawTransaction'
        ? errorOf(request, -32000, message)
        : obliging(request, response),
    );
    const answer = await fresh.call('eth_sendTransaction', [NO_NONCE]);
    await fresh.stop();
    expect(answer).toMatchObject({ status: 200, result: keccakOf(node.submitted()[0]) });
  });

  // SP-49
  it('gives up after eleven submissions', async () => {
    const fresh = await startFresh();
    node.behave((request, response) =>
      request.rpc.method === 'eth_sendRawTransaction'
        ? errorOf(request, -32000, 'Replacement transaction underpriced')
        : obliging(request, response),
    );
    const answer = await fresh.call('eth_sendTransaction', [NO_NONCE]);
    await fresh.stop();
    expect(answer).toMatchObject({ status: 400, error: { code: -32603, message: 'Internal error' } });
    expect(node.submitted()).toHaveLength(11);
  });

  // SP-50
  it('is told in time when the client falls silent after refusals', async () => {
    const fresh = await startSigner({
      downstreamPort: node.port,
      chainId: REFERENCE_CHAIN,
      privateKey: KA,
      flags: ['--downstream-http-request-timeout', '1000'],
    });
    let raws = 0;
    node.behave((request, response) => {
      if (request.rpc.method !== 'eth_sendRawTransaction') return obliging(request, response);
      return ++raws <= 3 ? errorOf(request, -32000, 'Replacement transaction underpriced') : undefined;
    });
    expect(await fresh.call('eth_sendTransaction', [NO_NONCE])).toMatchObject({
      status: 504,
      error: { code: -32000, message: 'Connection to downstream node timed out' },
    });
    await fresh.stop();
  });

  it.each([
    ['is no quantity', (): string => '{"id":0,"result":{}}'],
    ['is HTML', (): string => '<html>'],
    ['is for another question', (): string => '{"id":77,"result":"0x1"}'],
  ])('fails with 500 when the answer about it %s', async (_what, body) => {
    node.behave(body);
    expect(await send(NO_NONCE)).toMatchObject({
      status: 500,
      error: { code: -32603, message: 'Internal error' },
    });
  });

  it('hands on the client’s error about it', async () => {
    node.behave((request) => errorOf(request, -50100, 'Error communicating with enclave'));
    expect(await send(NO_NONCE)).toMatchObject({
      status: 500,
      error: { code: -50100, message: 'Error communicating with enclave' },
    });
  });

  // SP-54, SP-55
  it.each([
    ['with', BASE],
    ['without', NO_NONCE],
  ])('or %s one, a silent client gives 504', async (_how, transaction) => {
    node.behave(() => undefined);
    expect(await send(transaction)).toMatchObject({
      status: 504,
      error: { code: -32000, message: 'Connection to downstream node timed out' },
    });
  });

  it('takes decimal counts', async () => {
    node.behave((request) =>
      request.rpc.method === 'eth_getTransactionCount'
        ? resultOf(request, '12')
        : obliging(request, null as never),
    );
    await send(NO_NONCE);
    expect(Transaction.from(node.submitted()[0] as string).nonce).toBe(12);
  });
});
