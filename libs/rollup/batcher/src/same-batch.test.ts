import { describe, expect, it } from '@jest/globals';
import { publishedBatch, type PublishedBatch } from '@tetrad/rollup-chain';
import { seededRandom } from '@tetrad/testkit';
import { parseAddress } from '@tetrad/types';
import { LawfulBatches } from '../../state/src/testing/lawful-batches.js';
import { isSameBatch } from './contract-pages.js';

const ADDRESS = parseAddress('0x00000000000000000000000000000000000000a1');

const published = (): PublishedBatch => {
  const batches = new LawfulBatches(seededRandom(3), 4);
  batches.next();
  const { batch } = batches.next();
  return publishedBatch(batch.publicInputs, batch.ciphertexts);
};

describe('batches', () => {
  it('are the same when all that is published is', () => {
    expect(isSameBatch(published(), published())).toBe(true);
  });

  const other = { nextStateRoot: 1n, ordersRoot: 1n, ciphertextCommitment: 1n };
  it.each(Object.entries(other))('are not when they differ in %s', (field, value) => {
    expect(isSameBatch(published(), { ...published(), [field]: value })).toBe(false);
  });

  it.each(['headers', 'recipients', 'leaves', 'orders', 'ciphertexts'] as const)(
    'are not when one of the %s differs, which the state root need not show',
    (field) => {
      const batch = published();
      const changed = [...batch[field]];
      changed[0] = field === 'recipients' ? ADDRESS : 12345n;
      expect(isSameBatch(batch, { ...batch, [field]: changed })).toBe(false);
    },
  );
});
