import type { Address } from '@tetrad/types';
import { z } from 'zod';
import { GenesisError } from './genesis-error.js';
import { sectionRewardAccount, type RewardAccount } from './reward-account.js';
import type { RuleSet } from './rule-set.js';
import {
  addressText,
  contractText,
  count,
  readSelection,
  readTransitions,
  transitionSchema,
  wei,
  type Transition,
  type ValidatorSelection,
} from './transitions.js';

/** How blocks are agreed on, with every default of the reference filled in. */
export interface BftConfig {
  readonly engine: 'qbft' | 'ibft';
  /** Block from which an old `istanbul` chain speaks QBFT; absent when it never changes by itself. */
  readonly qbftBlock?: number | undefined;
  /** Blocks after which pending votes are dropped. */
  readonly epochLength: number;
  /** Least time between two blocks. Whole seconds are also demanded of header timestamps. */
  readonly blockPeriodMs: number;
  /** Least time before an empty block; 0 means the block period. */
  readonly emptyBlockPeriodMs: number;
  /** Timeout of the first round. */
  readonly requestTimeoutMs: number;
  /** Upper bound of the round timeout in milliseconds; 0 for no bound. */
  readonly maxRequestTimeoutMs: number;
  readonly proposerPolicy: 'roundRobin' | 'sticky';
  /** Block from which ceil(2N/3) seals are demanded; before it 2F+1. */
  readonly ceilQuorumBlock: number;
  readonly validatorSelection: ValidatorSelection;
  readonly validatorContract?: Address | undefined;
  /** Validators by name, for chains whose genesis extra data does not hold them. */
  readonly validators?: readonly Address[] | undefined;
  /** Wei per block. */
  readonly blockReward: bigint;
  readonly rewardAccount: RewardAccount;
  /** Changes at a block, ascending. */
  readonly transitions: readonly Transition[];
}

export interface RaftConfig {
  readonly engine: 'raft';
  /** Changes at a block, ascending; their validators are ignored under raft. */
  readonly transitions: readonly Transition[];
}

export type ConsensusConfig = BftConfig | RaftConfig;

/** Defaults of consensus/istanbul/config.go, as the reference page gives them. */
const DEFAULTS = { epochLength: 30_000, blockPeriodSeconds: 5, requestTimeoutMs: 10_000 };

const bftSchema = z.strictObject({
  epochlength: count.optional(),
  epoch: count.optional(),
  blockperiodseconds: count.optional(),
  /** Besu's key for periods under a second. */
  xblockperiodmilliseconds: count.optional(),
  emptyblockperiodseconds: count.optional(),
  requesttimeoutseconds: count.optional(),
  maxRequestTimeoutSeconds: count.optional(),
  policy: z.union([z.literal(0), z.literal(1)]).optional(),
  ceil2Nby3Block: count.optional(),
  testQBFTBlock: count.optional(),
  validatorcontractaddress: contractText.optional(),
  validatorselectionmode: z.string().optional(),
  validators: z.array(addressText).optional(),
  blockReward: wei.optional(),
  beneficiaryMode: z.string().optional(),
  miningBeneficiary: addressText.optional(),
});
export const BFT_KEYS: readonly string[] = Object.keys(bftSchema.shape);
type BftSection = z.output<typeof bftSchema>;

export const consensusSchema = {
  istanbul: bftSchema.optional(),
  ibft: bftSchema.optional(),
  qbft: bftSchema.optional(),
  raft: z.union([z.boolean(), z.strictObject({})]).optional(),
  transitions: z.array(transitionSchema).optional(),
};

export interface ConsensusSections {
  readonly istanbul?: BftSection | undefined;
  readonly ibft?: BftSection | undefined;
  readonly qbft?: BftSection | undefined;
  readonly raft?: unknown;
  readonly isQuorum?: boolean | undefined;
  readonly transitions?: readonly z.output<typeof transitionSchema>[] | undefined;
}

/**
 * The one consensus section of a genesis `config`.
 *
 * In:    rules — by which the file is read
 * Fails: GenesisError with the texts of the reference (ibft.md, section 1)
 */
export function readConsensus(sections: ConsensusSections, rules: RuleSet): ConsensusConfig {
  const { istanbul, ibft, qbft, raft } = sections;
  if (istanbul !== undefined && (ibft !== undefined || qbft !== undefined)) {
    throw new GenesisError(
      'the attributes config.Istanbul and config.[IBFT|QBFT] are mutually exclusive on the genesis file',
    );
  }
  if (ibft !== undefined && qbft !== undefined) {
    throw new GenesisError(
      'the attributes config.IBFT and config.QBFT are mutually exclusive on the genesis file',
    );
  }
  const section = qbft ?? ibft ?? istanbul;
  const raftConfig = (): RaftConfig => ({
    engine: 'raft',
    transitions: readTransitions(sections.transitions ?? [], rules),
  });
  if (raft !== undefined && raft !== false) {
    if (section !== undefined)
      throw new GenesisError('config: raft cannot be combined with qbft, ibft or istanbul');
    return raftConfig();
  }
  // Files of GoQuorum's raft networks name no engine: its nodes select raft by an option (raft.md, section A2).
  if (section === undefined && raft === undefined && sections.isQuorum === true) return raftConfig();
  if (section === undefined) throw new GenesisError('config: one of qbft, ibft and raft must be present');
  const qbftBlock = qbft !== undefined ? 0 : istanbul?.testQBFTBlock;
  const engine = qbftBlock === 0 ? 'qbft' : 'ibft';
  const hasTestQbftBlock = istanbul?.testQBFTBlock !== undefined;
  return {
    ...bftConfig(section, { isLegacy: istanbul !== undefined, rules }),
    engine,
    qbftBlock,
    transitions: readTransitions(sections.transitions ?? [], rules, { algorithm: engine, hasTestQbftBlock }),
  };
}

/** A value of 0 keeps the default, as in the reference. */
function orDefault(value: number | undefined, fallback: number): number {
  return value === undefined || value === 0 ? fallback : value;
}

function bftConfig(
  section: BftSection,
  { isLegacy, rules }: { readonly isLegacy: boolean; readonly rules: RuleSet },
): Omit<BftConfig, 'engine' | 'qbftBlock' | 'transitions'> {
  const period = orDefault(section.blockperiodseconds, DEFAULTS.blockPeriodSeconds) * 1000;
  return {
    epochLength: orDefault(section.epochlength ?? section.epoch, DEFAULTS.epochLength),
    blockPeriodMs: orDefault(section.xblockperiodmilliseconds, period),
    emptyBlockPeriodMs: (section.emptyblockperiodseconds ?? 0) * 1000,
    requestTimeoutMs: orDefault((section.requesttimeoutseconds ?? 0) * 1000, DEFAULTS.requestTimeoutMs),
    maxRequestTimeoutMs: (section.maxRequestTimeoutSeconds ?? 0) * 1000,
    proposerPolicy: section.policy === 1 ? 'sticky' : 'roundRobin',
    // In the old section an absent block means that the old quorum stays.
    ceilQuorumBlock: section.ceil2Nby3Block ?? (isLegacy ? Number.POSITIVE_INFINITY : 0),
    validatorSelection: readSelection(section) ?? 'blockheader',
    validatorContract: section.validatorcontractaddress,
    validators: section.validators,
    blockReward: section.blockReward ?? 0n,
    rewardAccount: sectionRewardAccount(section, rules),
  };
}
