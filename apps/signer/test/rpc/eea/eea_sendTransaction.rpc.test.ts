import { afterEach, describe, expect, it } from '@jest/globals';
import { SOME_HASH, errorOf } from '../../fake-node.js';
import { useFakeNode } from '../../fake-setup.js';
import { KA, KA_ADDRESS, PG, PRIV, REFERENCE_CHAIN, without } from '../../reference-keys.js';
import { readVectors, referenceRaw } from '../../reference-raw.js';
import { startSigner } from '../../running-signer.js';

const fake = useFakeNode();

const send = (transaction: object) => fake.signer.call('eea_sendTransaction', [transaction]);
interface GroupVector {
  readonly name: string;
  readonly members: readonly string[];
  readonly groupId: string;
}

const TO_GROUP = { ...without(PRIV, 'privateFor'), privacyGroupId: PG };

describe('eea_sendTransaction', () => {
  // SP-57
  it('signs and submits what the reference does', async () => {
    expect(await send(PRIV)).toMatchObject({ status: 200, result: SOME_HASH });
    expect(fake.node.seen).toMatchObject([{ rpc: { id: 1, method: 'eea_sendRawTransaction' } }]);
    expect(fake.node.submitted()).toEqual([referenceRaw(57)]);
  });

  // SP-58
  it('asks for the nonce of a group', async () => {
    await send(without(TO_GROUP, 'nonce'));
    expect(fake.node.seen[0]?.rpc).toMatchObject({
      method: 'priv_getTransactionCount',
      params: [KA_ADDRESS, PG],
    });
    expect(fake.node.submitted()).toEqual([referenceRaw(58)]);
  });

  it('asks for the nonce among named participants', async () => {
    await send({ ...PRIV, nonce: null, to: '' });
    expect(fake.node.seen[0]?.rpc).toMatchObject({
      method: 'priv_getEeaTransactionCount',
      params: [KA_ADDRESS, PRIV.privateFrom, PRIV.privateFor],
    });
    // SP-59
    expect(fake.node.submitted()).toEqual([referenceRaw(59)]);
  });

  it.each([
    ['the object itself', PRIV],
    ['another letter case of restricted', { ...PRIV, restriction: 'Restricted' }],
    ['a value of null', { ...PRIV, value: null }],
    ['no value', without(PRIV, 'value')],
    [
      'fees per gas, which it has no place for',
      { ...PRIV, maxFeePerGas: '0x1', maxPriorityFeePerGas: '0x1' },
    ],
  ])('takes %s', async (_what, params) => {
    await fake.signer.call('eea_sendTransaction', params);
    expect(fake.node.submitted()).toEqual([referenceRaw(57)]);
  });

  // SP-63
  it.each([
    ['nonce', without(PRIV, 'nonce')],
    ['transaction', PRIV],
  ])('forwards the client’s error about the %s', async (_of, transaction) => {
    fake.node.behave((request) => errorOf(request, -50100, 'Error communicating with enclave'));
    expect(await send(transaction)).toMatchObject({
      error: { code: -50100, message: 'Error communicating with enclave' },
    });
  });
});

describe('the group of a transaction to named participants', () => {
  // SP-68, SP-69
  it.each(readVectors<GroupVector>('privacy-groups'))(
    'is what the signer asks the client about by itself: $name',
    async ({ members: [privateFrom, ...privateFor], groupId }) => {
      await send({ ...without(PRIV, 'nonce'), privateFrom, privateFor });
      const isAsked = () =>
        fake.node.asked.some(
          ({ rpc }) =>
            rpc.method === 'priv_getTransactionCount' &&
            rpc.params?.[0] === KA_ADDRESS &&
            rpc.params[1] === groupId,
        );
      // The test's own time-out ends a wait in vain.
      while (!isAsked()) await new Promise((tick) => setTimeout(tick, 50));
      expect(isAsked()).toBe(true);
    },
  );
});

describe('eea_sendTransaction refuses, and the client hears nothing of it', () => {
  afterEach(() => expect(fake.node.seen).toEqual([]));

  // SP-60 to SP-62, and section 5
  it.each([
    ['value', '0x1'],
    ['value', 1],
    ['value', 'words'],
    ['restriction', undefined],
    ['restriction', null],
    ['restriction', 'invalid'],
    ['restriction', 'unrestricted'],
    ['privateFrom', undefined],
    ['privateFrom', null],
    ['privateFrom', 'ZlapEsl9qDLPy/e88+/6yvCUEVIvH83y0N4A6wHuKXI'],
    ['privateFor', null],
    ['privateFor', undefined],
    ['privateFor', PRIV.privateFrom],
    ['privateFor', ['short']],
    ['privacyGroupId', PG],
    ['from', ''],
    ['data', '0xzz'],
  ])('the parameter %s of %p', async (member, value) => {
    expect(await send({ ...PRIV, [member]: value })).toMatchObject({
      status: 400,
      error: { code: -32602, message: 'Invalid params' },
    });
  });

  it('a value before it looks for the key', async () => {
    expect((await send({ ...PRIV, value: '0x1', from: '0xbeef' })).error?.code).toBe(-32602);
  });

  it('a sender whose key is not held', async () => {
    expect(await send({ ...PRIV, from: `0x${'22'.repeat(20)}` })).toMatchObject({
      status: 400,
      error: { code: -32000, message: 'No unlocked account matches the Sender' },
    });
  });

  it('another chain', async () => {
    expect((await send({ ...PRIV, chainId: 10 })).error).toMatchObject({
      code: -32000,
      data: { reason: 'CHAIN_ID_MISMATCH' },
    });
  });
});

describe('eea_sendTransaction without a client', () => {
  it('says so with 504', async () => {
    const alone = await startSigner({ downstreamPort: 9, chainId: REFERENCE_CHAIN, privateKey: KA });
    expect(await alone.call('eea_sendTransaction', [PRIV])).toMatchObject({
      status: 504,
      error: { code: -32000, message: 'Failed to connect to downstream node' },
    });
    await alone.stop();
  });
});
