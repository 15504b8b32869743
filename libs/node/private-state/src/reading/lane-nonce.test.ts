import { describe, expect, it } from '@jest/globals';
import type { AccountState, WorldState } from '@tetrad/node-execution';
import { RequestError, ZERO_ADDRESS, parsePtmKey, type Address } from '@tetrad/types';
import { laneAccount } from '../restricted/lane.js';
import { laneNonce } from './private-state-view.js';

const LANE = {
  sender: ZERO_ADDRESS,
  group: parsePtmKey('BULeR8JyUWhiuuCMU/HLA0Q5pzkYT+cHII3ZKBey3Bo='),
};
const BLOCK = 7;

/** Private state whose only account is that of the lane. */
function view(nonce: bigint, head = BLOCK) {
  const findAccount = async (address: Address) =>
    address === laneAccount(LANE) ? ({ nonce } as AccountState) : undefined;
  return {
    demand: async (blockNumber: number) => {
      if (blockNumber > head) throw new RequestError('PRIVATE_STATE_NOT_AVAILABLE', 'paused');
    },
    worldAt: async () => ({ findAccount }) as unknown as WorldState,
  };
}

describe('the nonce of a lane', () => {
  it('counts what private state has executed of it', async () => {
    expect(await laneNonce(view(4n), LANE, BLOCK)).toBe(4n);
  });

  it('is 0 for a lane that nobody has used', async () => {
    const group = parsePtmKey('QfeDAys9MPDs2XHExtc84jKGHxZg/aj52DTh0vtA3Xc=');
    expect(await laneNonce(view(4n), { ...LANE, group }, BLOCK)).toBe(0n);
  });

  it('is refused while private state is behind the block', async () => {
    await expect(laneNonce(view(4n, BLOCK - 1), LANE, BLOCK)).rejects.toMatchObject({
      code: 'PRIVATE_STATE_NOT_AVAILABLE',
    });
  });
});
