import { describe, expect, it } from '@jest/globals';
import type { AccountState, WorldState } from '@tetrad/node-execution';
import { RequestError, ZERO_ADDRESS, parsePtmKey, type Address } from '@tetrad/types';
import { groupNonceAccount } from '../restricted/group-sender.js';
import { groupNonce } from './group-nonce.js';

const SENDER = {
  sender: ZERO_ADDRESS,
  group: parsePtmKey('BULeR8JyUWhiuuCMU/HLA0Q5pzkYT+cHII3ZKBey3Bo='),
};
const BLOCK = 7;

/** Private state whose only account is the one that counts for SENDER. */
function view(nonce: bigint, head = BLOCK) {
  const findAccount = async (address: Address) =>
    address === groupNonceAccount(SENDER) ? ({ nonce } as AccountState) : undefined;
  return {
    demand: async (blockNumber: number) => {
      if (blockNumber > head) throw new RequestError('PRIVATE_STATE_NOT_AVAILABLE', 'paused');
    },
    worldAt: async () => ({ findAccount }) as unknown as WorldState,
  };
}

describe('the nonce of a sender in a group', () => {
  it('counts the transactions that private state has executed', async () => {
    expect(await groupNonce(view(4n), SENDER, BLOCK)).toBe(4n);
  });

  it('is 0 for a group in which the sender has sent nothing', async () => {
    const group = parsePtmKey('QfeDAys9MPDs2XHExtc84jKGHxZg/aj52DTh0vtA3Xc=');
    expect(await groupNonce(view(4n), { ...SENDER, group }, BLOCK)).toBe(0n);
  });

  it('is refused while private state is behind the block', async () => {
    await expect(groupNonce(view(4n, BLOCK - 1), SENDER, BLOCK)).rejects.toMatchObject({
      code: 'PRIVATE_STATE_NOT_AVAILABLE',
    });
  });
});
