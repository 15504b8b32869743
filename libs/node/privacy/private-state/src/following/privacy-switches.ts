import type { Genesis } from '@tetrad/node-execution';

/** Privacy features in force in a block. */
export interface PrivacySwitches {
  /** Privacy flags other than 0. */
  readonly enhancements: boolean;
  /** Privacy marker transactions. */
  readonly markers: boolean;
}

/** The switches as a function of the block's number. Source: docs/spec/private-transactions.md#marker-transactions and #privacy-flags */
export function privacySwitches({ privacy, consensus }: Pick<Genesis, 'privacy' | 'consensus'>) {
  const isOn = (
    blockNumber: number,
    from: number | undefined,
    key: 'privacyEnhancements' | 'privacyPrecompile',
  ): boolean => {
    let on = from !== undefined && blockNumber >= from;
    for (const transition of consensus.transitions) {
      if (transition.block <= blockNumber) on = transition[key] ?? on;
    }
    return on;
  };
  return (blockNumber: number): PrivacySwitches => ({
    enhancements: isOn(blockNumber, privacy.enhancementsBlock, 'privacyEnhancements'),
    markers: isOn(blockNumber, privacy.precompileBlock, 'privacyPrecompile'),
  });
}

/** Whether privacy flags other than 0 are in force in any block. */
export function everHasPrivacyFlags({ privacy, consensus }: Pick<Genesis, 'privacy' | 'consensus'>): boolean {
  if (privacy.enhancementsBlock !== undefined) return true;
  return consensus.transitions.some((one) => one.privacyEnhancements === true);
}
