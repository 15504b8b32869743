import type { BlockReward } from '@tetrad/node-ledger';
import type { Address } from '@tetrad/types';
import type { ConsensusSettings } from './consensus-settings.js';

/** The reward of a block by the proposer; undefined on chains without (ibft.md, section 12). */
export function rewardOf(
  settings: Pick<ConsensusSettings, 'blockReward' | 'beneficiaryMode' | 'miningBeneficiary'>,
  proposer: Address,
): BlockReward | undefined {
  const { blockReward, beneficiaryMode, miningBeneficiary } = settings;
  if (blockReward === 0n) return undefined;
  // A beneficiary without a mode counts as `fixed`; any other mode rewards the proposer.
  const isFixed = beneficiaryMode === 'fixed' || !beneficiaryMode;
  return { beneficiary: (isFixed ? miningBeneficiary : undefined) ?? proposer, wei: blockReward };
}
