import type { Address } from '@tetrad/types';
import { z } from 'zod';
import { GenesisError } from './genesis-error.js';
import { sectionRewardAccount, type RewardAccount } from './reward-account.js';
import type { RuleSet } from './rule-set.js';
import {
  addressText,
  contractText,
  count,
  readAlgorithm,
  readSelection,
  readTransitions,
  transitionSchema,
  wei,
  type Transition,
  type TransitionSection,
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
  /** Whether the file gives it for block 0. */
  readonly isBlockPeriodGiven: boolean;
  /** Least time before an empty block; 0 means the block period. */
  readonly emptyBlockPeriodMs: number;
  /** Timeout of the first round. */
  readonly requestTimeoutMs: number;
  /** Upper bound of the round timeout in milliseconds; 0 for no bound. */
  readonly maxRequestTimeoutMs: number;
  readonly proposerPolicy: 'roundRobin' | 'sticky';
  /** The file's number for it, as snapshots show it: every number but 1 is round robin. */
  readonly proposerPolicyId: number;
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

/** Times for a file that gives none, below its transitions; GoQuorum took them from its command line. */
export interface DefaultTimes {
  readonly blockPeriodMs?: number | undefined;
  readonly requestTimeoutMs?: number | undefined;
}

/** How a file is read. */
export interface ConsensusReading {
  readonly rules: RuleSet;
  readonly times: DefaultTimes;
}

/** Defaults of consensus/istanbul/config.go, as the reference page gives them. */
const DEFAULTS = { epochLength: 30_000, blockPeriodMs: 5_000, requestTimeoutMs: 10_000 };

const bftSchema = z.strictObject({
  epochlength: count.optional(),
  epoch: count.optional(),
  blockperiodseconds: count.optional(),
  /** Besu's key for periods under a second. */
  xblockperiodmilliseconds: count.optional(),
  emptyblockperiodseconds: count.optional(),
  requesttimeoutseconds: count.optional(),
  maxRequestTimeoutSeconds: count.optional(),
  /** 1 is sticky; any other is round robin, as in GoQuorum. */
  policy: count.optional(),
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
  istanbul: bftSchema.nullish(),
  ibft: bftSchema.nullish(),
  qbft: bftSchema.nullish(),
  raft: z.union([z.boolean(), z.strictObject({})]).nullish(),
  transitions: z.array(transitionSchema).nullish(),
};

export interface ConsensusSections {
  readonly istanbul?: BftSection | null | undefined;
  readonly ibft?: BftSection | null | undefined;
  readonly qbft?: BftSection | null | undefined;
  readonly raft?: unknown;
  readonly isQuorum?: boolean | undefined;
  readonly transitions?: readonly TransitionSection[] | null | undefined;
}

/**
 * The one consensus section of a genesis `config`.
 * @throws GenesisError with the texts of the reference (docs/spec/bft.md#configuration)
 */
export function readConsensus(sections: ConsensusSections, reading: ConsensusReading): ConsensusConfig {
  const { rules } = reading;
  const { istanbul, ibft, qbft, isQuorum } = sections;
  const list = sections.transitions ?? [];
  const raft = sections.raft ?? undefined;
  assertOneSection(sections);
  const named = namedByTransitions(list);
  const section = qbft ?? ibft ?? istanbul ?? named?.section;
  const raftConfig = (): RaftConfig => ({ engine: 'raft', transitions: readTransitions(list, rules) });
  if (raft !== undefined && raft !== false) {
    if (section !== undefined && section !== named?.section)
      throw new GenesisError('config: raft cannot be combined with qbft, ibft or istanbul');
    return raftConfig();
  }
  if (section === undefined) {
    // Files of GoQuorum's raft networks name no engine: its nodes select raft by an option (docs/spec/raft.md, "Configuration").
    if (raft === undefined && isQuorum === true) return raftConfig();
    throw new GenesisError(
      'config: one of qbft, ibft and raft must be present, or a transition at block 0 with an algorithm',
    );
  }
  const isNamed = section === named?.section;
  const isQbft = isNamed ? named.engine === 'qbft' : (qbft ?? undefined) !== undefined;
  const qbftBlock = isQbft ? 0 : istanbul?.testQBFTBlock;
  const engine = qbftBlock === 0 ? 'qbft' : 'ibft';
  const hasTestQbftBlock = istanbul?.testQBFTBlock !== undefined;
  const algorithm = isNamed ? named.first : engine;
  return {
    ...bftConfig(section, { ...reading, isLegacy: section === istanbul }),
    engine,
    qbftBlock,
    transitions: readTransitions(list, rules, { algorithm, hasTestQbftBlock }),
  };
}

function assertOneSection({ istanbul, ibft, qbft }: ConsensusSections): void {
  const [hasIstanbul, hasIbft, hasQbft] = [istanbul, ibft, qbft].map(
    (section) => (section ?? undefined) !== undefined,
  );
  if (hasIstanbul && (hasIbft || hasQbft)) {
    throw new GenesisError(
      'the attributes config.Istanbul and config.[IBFT|QBFT] are mutually exclusive on the genesis file',
    );
  }
  if (hasIbft && hasQbft) {
    throw new GenesisError(
      'the attributes config.IBFT and config.QBFT are mutually exclusive on the genesis file',
    );
  }
}

/** What transitions at block 0 say in place of a section. */
interface NamedEngine {
  /** The algorithm of the first of them that names one. */
  readonly first: 'ibft' | 'qbft';
  /** The algorithm of block 0: that of the last one. */
  readonly engine: 'ibft' | 'qbft';
  readonly section: BftSection;
}

/** The engine of a file without a section, as GoQuorum's `CreateConsensusEngine` finds it; undefined where none is named. */
function namedByTransitions(transitions: readonly TransitionSection[]): NamedEngine | undefined {
  const atZero = transitions.filter(({ block }) => block === 0);
  const names = atZero.flatMap(({ algorithm }) => readAlgorithm(algorithm) ?? []);
  const [first, engine] = [names[0], names.at(-1)];
  if (first === undefined || engine === undefined) return undefined;
  // The rest of their settings is applied with the transitions.
  const valueOf = <Key extends keyof BftSection & keyof TransitionSection>(key: Key) =>
    atZero.findLast((entry) => entry[key])?.[key];
  const section = {
    epochlength: valueOf('epochlength'),
    blockperiodseconds: valueOf('blockperiodseconds'),
    xblockperiodmilliseconds: valueOf('xblockperiodmilliseconds'),
    emptyblockperiodseconds: valueOf('emptyblockperiodseconds'),
    requesttimeoutseconds: valueOf('requesttimeoutseconds'),
    maxRequestTimeoutSeconds: valueOf('maxRequestTimeoutSeconds'),
  };
  return { first, engine, section };
}

/** A value of 0 keeps the default, as in the reference. */
function orDefault(value: number | undefined, fallback: number): number {
  return value === undefined || value === 0 ? fallback : value;
}

function bftConfig(
  section: BftSection,
  { isLegacy, rules, times }: ConsensusReading & { readonly isLegacy: boolean },
): Omit<BftConfig, 'engine' | 'qbftBlock' | 'transitions'> {
  const period = section.xblockperiodmilliseconds || (section.blockperiodseconds ?? 0) * 1000;
  const defaultPeriod = times.blockPeriodMs ?? DEFAULTS.blockPeriodMs;
  const defaultTimeout = times.requestTimeoutMs ?? DEFAULTS.requestTimeoutMs;
  return {
    epochLength: orDefault(section.epochlength ?? section.epoch, DEFAULTS.epochLength),
    blockPeriodMs: orDefault(period, defaultPeriod),
    isBlockPeriodGiven: period > 0,
    emptyBlockPeriodMs: (section.emptyblockperiodseconds ?? 0) * 1000,
    requestTimeoutMs: orDefault((section.requesttimeoutseconds ?? 0) * 1000, defaultTimeout),
    maxRequestTimeoutMs: (section.maxRequestTimeoutSeconds ?? 0) * 1000,
    proposerPolicy: section.policy === 1 ? 'sticky' : 'roundRobin',
    proposerPolicyId: section.policy ?? 0,
    // In the old section an absent block means that the old quorum stays.
    ceilQuorumBlock: section.ceil2Nby3Block ?? (isLegacy ? Number.POSITIVE_INFINITY : 0),
    validatorSelection: readSelection(section) ?? 'blockheader',
    validatorContract: section.validatorcontractaddress,
    validators: section.validators,
    blockReward: section.blockReward ?? 0n,
    rewardAccount: sectionRewardAccount(section, rules),
  };
}
