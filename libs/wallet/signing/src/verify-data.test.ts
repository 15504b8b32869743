import { describe, expect, it } from '@jest/globals';
import { blsAddress, SigningError } from '@tetrad/wallet-key';
import { verifyData } from './verify-data.js';

const request = {
  address: blsAddress(new Uint8Array(48).fill(1)),
  data: new Uint8Array(1),
  signature: { type: 2, data: new Uint8Array(96) },
};
const partsOf = (failure: Error) => ({
  pool: { verify: () => Promise.reject(failure) },
  network: 'main' as const,
});

describe('verifying while the threads take no more work', () => {
  it('is refused as too much at a time', async () => {
    const full = new SigningError('POOL_FULL', '3 signatures are waiting already');
    await expect(verifyData(partsOf(full), request)).rejects.toMatchObject({
      code: 'TOO_MANY_CONCURRENT_REQUESTS',
      message: '3 signatures are waiting already',
    });
  });

  it('fails with any other fault as it is', async () => {
    const fault = new Error('the thread died');
    await expect(verifyData(partsOf(fault), request)).rejects.toBe(fault);
  });
});
