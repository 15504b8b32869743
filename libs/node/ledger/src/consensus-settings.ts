import type { BftConfig } from '@tetrad/node-execution';

/** What of the consensus settings producing and verifying a block depend on. */
export type ConsensusSettings = Pick<
  BftConfig,
  'blockPeriodMs' | 'emptyBlockPeriodMs' | 'blockReward' | 'beneficiaryMode' | 'miningBeneficiary'
> & {
  /** Whether 2F+1 seals suffice. */
  readonly legacyQuorum: boolean;
};

/** The settings at a block: those of the genesis file under the transitions up to it (ibft.md, sections 1 and 2). */
export function consensusSettings(config: BftConfig, blockNumber: number): ConsensusSettings {
  let settings: ConsensusSettings = { ...config, legacyQuorum: blockNumber < config.ceilQuorumBlock };
  for (const transition of config.transitions) {
    if (transition.block > blockNumber) break;
    settings = {
      blockPeriodMs: transition.blockPeriodMs ?? settings.blockPeriodMs,
      emptyBlockPeriodMs: transition.emptyBlockPeriodMs ?? settings.emptyBlockPeriodMs,
      blockReward: transition.blockReward ?? settings.blockReward,
      beneficiaryMode: transition.beneficiaryMode ?? settings.beneficiaryMode,
      miningBeneficiary: transition.miningBeneficiary ?? settings.miningBeneficiary,
      legacyQuorum: transition.legacyQuorum ?? settings.legacyQuorum,
    };
  }
  return settings;
}
