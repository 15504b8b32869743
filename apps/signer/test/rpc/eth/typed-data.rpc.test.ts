import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { verifyTypedData } from 'ethers/hash';
import { useFakeNode } from '../../fake-setup.js';
import { KA, KA_ADDRESS } from '../../reference-keys.js';
import { startSigner, type RunningSigner } from '../../running-signer.js';

const TYPES = {
  Note: [
    { name: 'text', type: 'string' },
    { name: 'amount', type: 'uint256' },
  ],
};
const DATA = {
  types: { EIP712Domain: [{ name: 'name', type: 'string' }], ...TYPES },
  primaryType: 'Note',
  domain: { name: 'Notes' },
  message: { text: 'hello', amount: '7' },
};

/** The method has two names. */
function describeTypedData(method: string): void {
  describe(method, () => {
    let signer: RunningSigner;
    beforeAll(async () => {
      signer = await startSigner({ downstreamPort: 9, privateKey: KA });
    });
    afterAll(() => signer.stop());

    it.each([
      ['an object', DATA],
      ['JSON text', JSON.stringify(DATA)],
    ])('signs %s so that ethers finds the signer', async (_what, data) => {
      const { result } = await signer.call(method, [KA_ADDRESS, data, 'ignored']);
      const signed = verifyTypedData(DATA.domain, TYPES, DATA.message, result as string);
      expect(signed.toLowerCase()).toBe(KA_ADDRESS);
      expect(result).toMatch(/(?:1b|1c)$/);
    });

    it('signs integers that JSON readers round', async () => {
      const text = JSON.stringify(DATA).replace('"7"', '9007199254740993');
      const { result } = await signer.call(method, [KA_ADDRESS, text]);
      const message = { text: 'hello', amount: 9007199254740993n };
      expect(verifyTypedData(DATA.domain, TYPES, message, result as string).toLowerCase()).toBe(KA_ADDRESS);
    });

    it.each([
      ['nothing', []],
      ['an address alone', [KA_ADDRESS]],
      ['text that is not JSON', [KA_ADDRESS, 'hello']],
      ['no types', [KA_ADDRESS, { ...DATA, types: undefined }]],
      ['a message that does not fit', [KA_ADDRESS, { ...DATA, message: { text: 'hello', amount: 'many' } }]],
    ])('refuses %s', async (_what, params) => {
      expect(await signer.call(method, params)).toMatchObject({
        status: 400,
        error: { code: -32602, message: 'Invalid params' },
      });
    });

    it('does not know accounts whose keys are not held', async () => {
      expect(await signer.call(method, [`0x${'22'.repeat(20)}`, DATA])).toMatchObject({
        status: 200,
        error: { code: -32000, message: 'No unlocked account matches the Sender' },
      });
    });
  });
}

describeTypedData('eth_signTypedData');
describeTypedData('eth_signTypedData_v4');

describe('typed data that are made to keep the signer busy', () => {
  const fake = useFakeNode();

  const wide = Object.fromEntries(
    Array.from({ length: 90 }, (_, index) => [
      `T${index}`,
      Array.from({ length: Math.min(10, 89 - index) }, (_member, next) => ({
        name: `m${next}`,
        type: `T${index + next + 1}`,
      })),
    ]),
  );
  const ofType = (type: string) => ({ T0: [{ name: 'x', type }] });

  it.each<[string, object, object]>([
    ['types that refer to all later ones', wide, {}],
    ['brackets without an end', ofType(`${'[]'.repeat(200_000)}x`), { x: 1 }],
    ['hundreds of thousands of values', ofType('uint8[]'), { x: new Array(300_000).fill(1) }],
    ['empty structs', { ...ofType('E[]'), E: [] }, { x: new Array(200_000).fill({}) }],
    ['digits', ofType('uint256'), { x: '9'.repeat(800_000) }],
  ])('are refused with %s, as they come and as text', async (_what, types, message) => {
    const data = { types, primaryType: 'T0', domain: {}, message };
    for (const given of [data, JSON.stringify(data)]) {
      // Of an account that is not held: no key is needed to ask.
      expect(await fake.signer.call('eth_signTypedData_v4', [`0x${'99'.repeat(20)}`, given])).toMatchObject({
        status: 400,
        error: { code: -32602, data: { reason: 'INVALID_PARAMS', field: 'typedData' } },
      });
    }
  });

  it('come to an end in a batch', async () => {
    const params = [KA_ADDRESS, { types: wide, primaryType: 'T0', domain: {}, message: {} }];
    const calls = Array.from({ length: 20 }, (_, id) => ({
      jsonrpc: '2.0',
      id,
      method: 'eth_signTypedData',
      params,
    }));
    const { text } = await fake.signer.post(JSON.stringify(calls));
    const answers = JSON.parse(text) as { error?: { code: number } }[];
    expect(answers.map(({ error }) => error?.code)).toEqual(calls.map(() => -32602));
  });
});
