import { describe, expect, it } from '@jest/globals';
import { BlockHorizon } from '@tetrad/node-ledger';
import { createMetrics } from '@tetrad/service';
import { silentLogger } from '@tetrad/types';
import { openAddressIndex } from './open-address-index.js';

const environment = {
  logger: silentLogger,
  metrics: createMetrics({ service: 'node', version: '0.0.0' }),
};

describe('the index by address', () => {
  it('is refused on a node that joined by state and does not fill in the past', async () => {
    const parts = { chain: { ledger: { blockHorizon: new BlockHorizon(41) } } } as never;
    for (const history of ['none', 12] as const)
      await expect(
        openAddressIndex({ addressIndex: true, stateHistory: undefined, history }, environment, parts),
      ).rejects.toThrow(
        `--address-index: not with --history ${history}: this node joined by state at block 41`,
      );
  });

  it('is not opened where the operator does not want one', async () => {
    const { parts } = await openAddressIndex(
      { addressIndex: false, stateHistory: undefined, history: 'all' },
      environment,
      {} as never,
    );
    expect(parts).toEqual({ addressIndex: undefined, addressHistory: undefined, blockIndex: undefined });
  });
});
