import { describe, expect, it } from '@jest/globals';
import { useFakeNode } from '../../fake-setup.js';
import { KA_ADDRESS } from '../../reference-keys.js';

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

describe('typed data that are made to keep the signer busy', () => {
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
