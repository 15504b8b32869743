import { expect, it } from '@jest/globals';
import { multiplyGenerator } from '@tetrad/rollup-crypto';
import { parseAddress } from '@tetrad/types';
import { deployRollup } from './deploy-rollup.js';

it('refuses sizes of batches that leave holders no exit, before anything is sent', async () => {
  const create = () => Promise.reject(new Error('a contract was created'));
  const options = {
    ...{ operator: parseAddress(`0x${'11'.repeat(20)}`), operatorKey: multiplyGenerator(3n) },
    ...{ stallTimeoutSeconds: 60, etherUnit: 1n },
  };
  await expect(deployRollup(create, { ...options, sizes: [8, 32] })).rejects.toThrow(
    '--batch-sizes: 1 or 2 must be among them, or no holder can prove its exit',
  );
  await expect(deployRollup(create, { ...options, sizes: [1, 8] })).rejects.toThrow('a contract was created');
});
