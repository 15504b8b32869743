import { ZERO_ADDRESS, type Address } from '@tetrad/types';
import { isRecord, type JsonObject } from './folded-keys.js';
import { GenesisError } from './genesis-error.js';
import type { RuleSet } from './rule-set.js';

/** The account that gets block rewards, and under GoQuorum's rules fees: an address, or each block's proposer. */
export type RewardAccount = 'proposer' | Address;

/** Keys of a section or transition that decide on the account. */
export interface RewardKeys {
  readonly beneficiaryMode?: string | undefined;
  readonly miningBeneficiary?: Address | undefined;
}

/** Settings from which the account at a block follows. */
export interface RewardSettings {
  /** From block 0 on; the proposer when absent. */
  readonly rewardAccount?: RewardAccount | undefined;
  /** Ascending by block. */
  readonly transitions: readonly {
    readonly block: number;
    /** Absent where the transition leaves the account as it was. */
    readonly rewardAccount?: RewardAccount | undefined;
  }[];
}

const TETRAD_MODES = ['', 'fixed', 'validators', 'validator', 'list'];
const TRANSITION_PROPOSER_MODES = ['validators', 'validator'];

/**
 * The account that the genesis section names. GoQuorum knows the modes `fixed` and `validator` in any case, and pays the
 * zero address under any other (`GetRewardAccount` in its params/config.go). In a file with Tetrad's rules the other words
 * of GoQuorum's documentation mean the proposer, and a mistyped one is refused.
 *
 * @param keys - of the section
 * @param rules - by which the file is read
 * @returns the account from block 0 on
 * @throws GenesisError for a word that Tetrad's rules do not know
 */
export function sectionRewardAccount(keys: RewardKeys, rules: RuleSet): RewardAccount {
  const { beneficiaryMode: mode, miningBeneficiary: named } = keys;
  if (rules === 'tetrad') {
    assertMode(mode);
    return (mode === 'fixed' || !mode ? named : undefined) ?? 'proposer';
  }
  if (mode === undefined) return named ?? 'proposer';
  if (mode.toLowerCase() === 'validator') return 'proposer';
  return (mode.toLowerCase() === 'fixed' ? named : undefined) ?? ZERO_ADDRESS;
}

/**
 * The account from a transition on: the proposer with the mode `validator` or `validators`, else the beneficiary where one
 * is given without a mode or with `fixed`. Words are compared with their case, as in GoQuorum.
 *
 * @param keys - of the transition
 * @param rules - by which the file is read
 * @returns undefined when the transition leaves the account as it was
 * @throws GenesisError for a word that Tetrad's rules do not know
 */
export function transitionRewardAccount(keys: RewardKeys, rules: RuleSet): RewardAccount | undefined {
  const { beneficiaryMode: mode, miningBeneficiary: named } = keys;
  if (rules === 'tetrad') assertMode(mode);
  if (mode !== undefined && TRANSITION_PROPOSER_MODES.includes(mode)) return 'proposer';
  return mode === undefined || mode === 'fixed' ? named : undefined;
}

/** The account at a block: that of the section under the transitions up to it. */
export function rewardAccountAt(settings: RewardSettings, blockNumber: number): RewardAccount {
  return settings.transitions.reduce<RewardAccount>(
    (account, { block, rewardAccount }) => (block > blockNumber ? account : (rewardAccount ?? account)),
    settings.rewardAccount ?? 'proposer',
  );
}

/**
 * A line for each key of a file for GoQuorum that pays another account than its words say.
 * @param config - with folded keys
 */
export function describeLostRewards(config: JsonObject): string[] {
  const { qbft, transitions } = config;
  const isLost =
    isRecord(qbft) && sectionRewardAccount(qbft as RewardKeys & JsonObject, 'goquorum') === ZERO_ADDRESS;
  const lost = isLost
    ? ['config.qbft.beneficiaryMode: rewards and fees go to the zero address, as in GoQuorum']
    : [];
  const ignored = (Array.isArray(transitions) ? transitions : []).flatMap((transition: unknown, index) => {
    if (!isRecord(transition)) return [];
    const { beneficiaryMode: mode } = transition;
    const isIgnored =
      typeof mode === 'string' && transitionRewardAccount(transition, 'goquorum') === undefined;
    return isIgnored ? [`config.transitions.${index}.beneficiaryMode changes nothing, as in GoQuorum`] : [];
  });
  return [...lost, ...ignored];
}

function assertMode(mode: string | undefined): void {
  if (mode !== undefined && !TETRAD_MODES.includes(mode))
    throw new GenesisError('beneficiary mode is not valid');
}
