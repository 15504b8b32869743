import { describe, expect, it } from '@jest/globals';
import { freePorts } from '@tetrad/devnet';
import { keccak256 } from 'ethers/crypto';
import { Transaction } from 'ethers/transaction';
import {
  SOME_HASH,
  errorOf,
  isForCaller,
  obliging,
  resultOf,
  startFakeNode,
  type SeenRequest,
} from '../../fake-node.js';
import { IMPATIENT_MS, REFERENCE, useFakeNode } from '../../fake-setup.js';
import { BASE, KA, KA_ADDRESS, REFERENCE_CHAIN, without } from '../../reference-keys.js';
import { referenceRaw } from '../../reference-raw.js';
import { startSigner } from '../../running-signer.js';

const fake = useFakeNode();

const send = (transaction: object) => fake.signer.call('eth_sendTransaction', [transaction]);
const NO_NONCE = without(BASE, 'nonce');
const keccakOf = (raw: unknown) => keccak256(raw as string);

/** A signer that has not seen a nonce yet. It asks once: a machine must not be so busy that a question is given up. */
const startFresh = () =>
  startSigner({
    downstreamPort: fake.node.port,
    ...REFERENCE,
    flags: ['--downstream-http-request-timeout', '60000'],
  });

const isLookup = (request: SeenRequest) =>
  isForCaller(request) && request.rpc.method === 'eth_getTransactionCount';

const nonces = () => fake.node.submitted().map((raw) => Transaction.from(raw as string).nonce);

describe('eth_sendTransaction without a nonce', () => {
  // SP-33, SP-34
  it.each([undefined, null])('asks for the nonce when it is %p', async (nonce) => {
    const fresh = await startFresh();
    await fresh.call('eth_sendTransaction', [{ ...BASE, nonce }]);
    await fresh.stop();
    expect(fake.node.seen.find(isLookup)?.rpc).toEqual({
      jsonrpc: '2.0',
      id: 0,
      method: 'eth_getTransactionCount',
      params: [KA_ADDRESS, 'pending'],
    });
    expect(fake.node.submitted()).toEqual([referenceRaw(33)]);
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
    fake.node.behave((request, response) => {
      if (isLookup(request)) return resultOf(request, `0x${counts++}`);
      if (request.rpc.method === 'eth_getTransactionByHash') return resultOf(request, null);
      const isFirst = request.rpc.method === 'eth_sendRawTransaction' && raws++ === 0;
      return isFirst ? errorOf(request, code, message) : obliging(request, response);
    });
    const answer = await fresh.call('eth_sendTransaction', [NO_NONCE]);
    await fresh.stop();
    expect(answer).toMatchObject({ status: 200, result: SOME_HASH });
    expect(nonces()).toEqual([0, 1]);
    expect(fake.node.submitted()[1]).toBe(referenceRaw(33));
  });

  it.each(['already known', 'Already known'])('is sent when the client says %s', async (message) => {
    const fresh = await startFresh();
    fake.node.behave((request, response) =>
      request.rpc.method === 'eth_sendRawTransaction'
        ? errorOf(request, -32000, message)
        : obliging(request, response),
    );
    const answer = await fresh.call('eth_sendTransaction', [NO_NONCE]);
    await fresh.stop();
    expect(answer).toMatchObject({ status: 200, result: keccakOf(fake.node.submitted()[0]) });
  });

  it.each<[number, number, string]>([
    [400, -32001, 'Nonce too low'],
    [500, -32000, 'nonce too low: next nonce 1, tx nonce 0'],
    [400, -32000, 'Known transaction'],
    [409, -32000, 'already known'],
    [400, -32000, 'Replacement transaction underpriced'],
    [503, -32000, 'nonce too high'],
  ])(
    'forwards the client’s error with HTTP %i, %i %s, after one submission',
    async (status, code, message) => {
      const fresh = await startFresh();
      const body = (id: unknown) =>
        ` {"error":{"message":${JSON.stringify(message)},"code":${code}},"id":${JSON.stringify(id)},"own":[1.0]}`;
      fake.node.behave((request, response) =>
        request.rpc.method === 'eth_sendRawTransaction'
          ? { status, headers: { 'x-own': 'yes' }, body: body(request.rpc.id) }
          : obliging(request, response),
      );
      const answer = await fresh.post(
        JSON.stringify({ jsonrpc: '2.0', id: 'a', method: 'eth_sendTransaction', params: [NO_NONCE] }),
      );
      expect(answer).toMatchObject({ status, text: body('a') });
      expect(answer.headers['x-own']).toBe('yes');
      expect(fake.node.submitted()).toHaveLength(1);
      fake.node.behave(obliging);
      expect(await fresh.call('eth_sendTransaction', [NO_NONCE])).toMatchObject({ result: SOME_HASH });
      await fresh.stop();
    },
  );

  // SP-49
  it('gives up after eleven submissions', async () => {
    const fresh = await startFresh();
    fake.node.behave((request, response) =>
      request.rpc.method === 'eth_sendRawTransaction'
        ? errorOf(request, -32000, 'Replacement transaction underpriced')
        : obliging(request, response),
    );
    const answer = await fresh.call('eth_sendTransaction', [NO_NONCE]);
    await fresh.stop();
    expect(answer).toMatchObject({ status: 400, error: { code: -32603, message: 'Internal error' } });
    expect(fake.node.submitted()).toHaveLength(11);
  });

  it.each([
    ['is not a quantity', (): string => '{"id":0,"result":{}}'],
    ['is HTML', (): string => '<html>'],
    ['is for another question', (): string => '{"id":77,"result":"0x1"}'],
  ])('fails with 500 when the answer about it %s', async (_what, body) => {
    fake.node.behave(body);
    expect(await send(NO_NONCE)).toMatchObject({
      status: 500,
      error: { code: -32603, message: 'Internal error' },
    });
  });

  it('forwards the client’s error about it', async () => {
    fake.node.behave((request) => errorOf(request, -50100, 'Error communicating with enclave'));
    expect(await send(NO_NONCE)).toMatchObject({
      status: 500,
      error: { code: -50100, message: 'Error communicating with enclave' },
    });
  });

  it('stays with what was signed when the answer is to another request, whatever it says', async () => {
    const fresh = await startFresh();
    const rejection = '{"jsonrpc":"2.0","id":77,"error":{"code":-32000,"message":"insufficient funds"}}';
    fake.node.behave((request, response) =>
      request.rpc.method === 'eth_sendRawTransaction' ? rejection : obliging(request, response),
    );
    await fresh.call('eth_sendTransaction', [NO_NONCE]);
    const [raw] = fake.node.submitted();
    fake.node.behave(obliging);
    const isSentAgain = () =>
      fake.node.asked.some(({ rpc }) => rpc.method === 'eth_sendRawTransaction' && rpc.params?.[0] === raw);
    // The test's own time-out ends a wait in vain.
    while (!isSentAgain()) await new Promise((tick) => setTimeout(tick, 50));
    await fresh.stop();
    expect(raw).toBe(referenceRaw(33));
  });

  it('takes decimal counts', async () => {
    fake.node.behave((request) =>
      request.rpc.method === 'eth_getTransactionCount'
        ? resultOf(request, '12')
        : obliging(request, null as never),
    );
    await send(NO_NONCE);
    expect(Transaction.from(fake.node.submitted()[0] as string).nonce).toBe(12);
  });
});

describe('a client that falls silent', () => {
  const silent = useFakeNode({ ...REFERENCE, requestTimeoutMs: IMPATIENT_MS });
  const timedOut = {
    status: 504,
    error: { code: -32000, message: 'Connection to downstream node timed out' },
  };

  // SP-50
  it('after three rejections is waited for no longer than a request may take', async () => {
    let raws = 0;
    silent.node.behave((request, response) => {
      if (request.rpc.method !== 'eth_sendRawTransaction') return obliging(request, response);
      return ++raws <= 3 ? errorOf(request, -32000, 'Replacement transaction underpriced') : undefined;
    });
    expect(await silent.signer.call('eth_sendTransaction', [NO_NONCE])).toMatchObject(timedOut);
    expect(raws).toBeGreaterThan(3);
  });

  // SP-54, SP-55
  it.each([
    ['with', BASE],
    ['without', NO_NONCE],
  ])('is reported to a sender %s a nonce', async (_how, transaction) => {
    silent.node.behave(() => undefined);
    expect(await silent.signer.call('eth_sendTransaction', [transaction])).toMatchObject(timedOut);
  });
});

describe('a client that becomes unavailable and comes back', () => {
  it('leaves neither a gap nor a double: what was not submitted is the next one’s', async () => {
    // Not an ephemeral port, so that no outgoing connection takes it meanwhile.
    const port = await freePorts(1);
    const away = await startFakeNode(obliging, port);
    const fresh = await startSigner({ downstreamPort: port, chainId: REFERENCE_CHAIN, privateKey: KA });
    const sendFresh = () => fresh.call('eth_sendTransaction', [NO_NONCE]);
    expect((await sendFresh()).result).toBe(SOME_HASH);
    await away.stop();
    const refused = { status: 504, error: { message: 'Failed to connect to downstream node' } };
    expect(await Promise.all([sendFresh(), sendFresh()])).toMatchObject([refused, refused]);
    const back = await startFakeNode(obliging, port);
    expect((await sendFresh()).result).toBe(SOME_HASH);
    expect((await sendFresh()).result).toBe(SOME_HASH);
    const sent = [...away.submitted(), ...back.submitted()];
    expect(sent.map((raw) => Transaction.from(raw as string).nonce)).toEqual([1, 2, 3]);
    await fresh.stop();
    await back.stop();
  });
});
