import { describe, expect, it } from '@jest/globals';
import { createMetrics } from '@tetrad/service';
import { silentLogger } from '@tetrad/types';
import { openAddressIndex } from './open-address-index.js';

const environment = {
  logger: silentLogger,
  metrics: createMetrics({ service: 'node', version: '0.0.0' }),
};

describe('the index by address', () => {
  it('is refused on a node that joined by state, whose index would lack the past', async () => {
    const parts = { chain: { ledger: { blockHorizon: { joined: 41 } } } } as never;
    await expect(openAddressIndex({ addressIndex: true }, environment, parts)).rejects.toThrow(
      '--address-index: not on a node that joined by state: it lacks the transactions up to block 41',
    );
  });

  it('is not opened where the operator does not want one', async () => {
    const { parts } = await openAddressIndex({ addressIndex: false }, environment, {} as never);
    expect(parts).toEqual({ addressIndex: undefined, addressHistory: undefined, blockIndex: undefined });
  });
});
