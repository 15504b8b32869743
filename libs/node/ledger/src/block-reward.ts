import type { Genesis } from '@tetrad/node-execution';
import type { Address } from '@tetrad/types';

/** Wei that come into being with a block. */
export interface BlockReward {
  readonly beneficiary: Address;
  readonly wei: bigint;
}

/** The reward of a block by the proposer; undefined on chains without (ibft.md, section 12). */
export function rewardOf(genesis: Genesis, proposer: Address): BlockReward | undefined {
  const { consensus } = genesis;
  if (consensus.engine !== 'qbft' || consensus.blockReward === 0n) return undefined;
  return { beneficiary: consensus.miningBeneficiary ?? proposer, wei: consensus.blockReward };
}
