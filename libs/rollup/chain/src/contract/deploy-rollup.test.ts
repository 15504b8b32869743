import { describe, expect, it } from '@jest/globals';
import { multiplyGenerator } from '@tetrad/rollup-crypto';
import { parseAddress } from '@tetrad/types';
import { deployRollup } from './deploy-rollup.js';

describe('a deployment', () => {
  const create = () => Promise.reject(new Error('a contract was created'));
  const options = {
    operator: parseAddress(`0x${'11'.repeat(20)}`),
    operatorKey: multiplyGenerator(3n),
    stallTimeoutSeconds: 60,
    etherUnit: 1n,
  };

  it.each([
    [[], 'at least one'],
    [[2, 1, 2], '2 is there twice'],
    [[0], '0 is not from 1 to 4096'],
    [[4097], '4097 is not from 1 to 4096'],
    [[1.5], '1.5 is not from 1 to 4096'],
  ])('refuses %p as sizes of batches, before anything is sent', async (sizes, problem) => {
    await expect(deployRollup(create, { ...options, sizes })).rejects.toThrow(`--batch-sizes: ${problem}`);
  });

  it('takes size 1 alone: holders prove no batch', async () => {
    await expect(deployRollup(create, { ...options, sizes: [1] })).rejects.toThrow('a contract was created');
  });
});
