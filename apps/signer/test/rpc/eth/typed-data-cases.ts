import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { verifyTypedData } from 'ethers/hash';
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
export function describeTypedData(method: string): void {
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
