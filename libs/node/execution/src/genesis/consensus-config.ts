import { parseAddress, type Address } from '@tetrad/types';
import { z } from 'zod';
import { GenesisError } from './genesis-error.js';

/** How blocks are agreed on, with every default of the reference filled in. */
export interface BftConfig {
  readonly engine: 'qbft' | 'ibft';
  readonly epochLength: number;
  /** Least time between two blocks. Whole seconds are also demanded of header timestamps. */
  readonly blockPeriodMs: number;
  /** Least time before an empty block; 0 means the block period. */
  readonly emptyBlockPeriodMs: number;
  readonly requestTimeoutMs: number;
  /** 0 when there is no cap. */
  readonly maxRequestTimeoutMs: number;
  readonly proposerPolicy: 'roundRobin' | 'sticky';
  /** Block from which ceil(2N/3) seals are demanded; before it 2F+1. */
  readonly ceilQuorumBlock: number;
  readonly validatorContract?: Address;
  readonly blockReward: bigint;
  readonly miningBeneficiary?: Address;
  /** Changes at a block, ascending. */
  readonly transitions: readonly Transition[];
}

export interface RaftConfig {
  readonly engine: 'raft';
}

export type ConsensusConfig = BftConfig | RaftConfig;

export interface Transition {
  readonly block: number;
  readonly settings: Readonly<Record<string, unknown>>;
}

/** Defaults of consensus/istanbul/config.go, as the reference page gives them. */
const DEFAULTS = { epochLength: 30_000, blockPeriodSeconds: 5, requestTimeoutMs: 10_000 };

const count = z.number().int().nonnegative();
const address = z.string().regex(/^0x[0-9a-fA-F]{40}$/, 'must be an address');
const wei = z.union([z.string().regex(/^(\d+|0x[0-9a-fA-F]+)$/, 'must be wei'), count]);

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
  validatorcontractaddress: address.optional(),
  validatorselectionmode: z.string().optional(),
  validators: z.array(address).optional(),
  blockReward: wei.optional(),
  beneficiaryMode: z.string().optional(),
  miningBeneficiary: address.optional(),
});

export const consensusSchema = {
  istanbul: bftSchema.optional(),
  ibft: bftSchema.optional(),
  qbft: bftSchema.optional(),
  raft: z.union([z.boolean(), z.strictObject({})]).optional(),
  transitions: z.array(z.looseObject({ block: z.unknown() })).optional(),
};

export interface ConsensusSections {
  readonly istanbul?: z.infer<typeof bftSchema> | undefined;
  readonly ibft?: z.infer<typeof bftSchema> | undefined;
  readonly qbft?: z.infer<typeof bftSchema> | undefined;
  readonly raft?: unknown;
  readonly transitions?: readonly Record<string, unknown>[] | undefined;
}

/**
 * The one consensus section of a genesis `config`.
 *
 * Fails: GenesisError with the texts of the reference (ibft.md, section 1)
 */
export function readConsensus(sections: ConsensusSections): ConsensusConfig {
  const { istanbul, ibft, qbft, raft } = sections;
  if (istanbul !== undefined && (ibft !== undefined || qbft !== undefined)) {
    throw new GenesisError('the attributes config.Istanbul and config.[IBFT|QBFT] are mutually exclusive on the genesis file');
  }
  if (ibft !== undefined && qbft !== undefined) {
    throw new GenesisError('the attributes config.IBFT and config.QBFT are mutually exclusive on the genesis file');
  }
  if (raft !== undefined && raft !== false) return { engine: 'raft' };
  const section = qbft ?? ibft ?? istanbul;
  if (section === undefined) throw new GenesisError('config: one of qbft, ibft and raft must be present');
  checkSelection(section);
  const engine = qbft !== undefined || istanbul?.testQBFTBlock === 0 ? 'qbft' : 'ibft';
  return bftConfig(engine, section, readTransitions(sections.transitions ?? [], engine));
}

/** A value of 0 keeps the default, as in the reference. */
function orDefault(value: number | undefined, fallback: number): number {
  return value === undefined || value === 0 ? fallback : value;
}

function bftConfig(
  engine: 'qbft' | 'ibft',
  section: z.infer<typeof bftSchema>,
  transitions: readonly Transition[],
): BftConfig {
  const period = orDefault(section.blockperiodseconds, DEFAULTS.blockPeriodSeconds) * 1000;
  return {
    engine,
    epochLength: orDefault(section.epochlength ?? section.epoch, DEFAULTS.epochLength),
    blockPeriodMs: orDefault(section.xblockperiodmilliseconds, period),
    emptyBlockPeriodMs: (section.emptyblockperiodseconds ?? 0) * 1000,
    requestTimeoutMs: orDefault((section.requesttimeoutseconds ?? 0) * 1000, DEFAULTS.requestTimeoutMs),
    maxRequestTimeoutMs: (section.maxRequestTimeoutSeconds ?? 0) * 1000,
    proposerPolicy: section.policy === 1 ? 'sticky' : 'roundRobin',
    ceilQuorumBlock: section.ceil2Nby3Block ?? 0,
    ...(section.validatorcontractaddress === undefined
      ? {}
      : { validatorContract: parseAddress(section.validatorcontractaddress) }),
    blockReward: BigInt(section.blockReward ?? 0),
    ...(section.miningBeneficiary === undefined
      ? {}
      : { miningBeneficiary: parseAddress(section.miningBeneficiary) }),
    transitions,
  };
}

function checkSelection(section: z.infer<typeof bftSchema>): void {
  const { validatorselectionmode: mode, validatorcontractaddress: contract, beneficiaryMode } = section;
  if (mode !== undefined && mode !== 'contract' && mode !== 'blockheader') {
    throw new GenesisError('validator selection mode is invalid, should be either `contract` or `blockheader`');
  }
  if (contract !== undefined && mode === undefined) {
    throw new GenesisError(
      'validator selection mode is missing, should specify `contract` when using validatorcontractaddress',
    );
  }
  if (beneficiaryMode !== undefined && !['', 'fixed', 'validators', 'validator', 'list'].includes(beneficiaryMode)) {
    throw new GenesisError('beneficiary mode is not valid');
  }
}

function readTransitions(list: readonly Record<string, unknown>[], engine: 'qbft' | 'ibft'): Transition[] {
  let previous = -1;
  let current: unknown = engine;
  return list.map(({ block, ...settings }) => {
    const algorithm = settings['algorithm'];
    if (algorithm !== undefined && algorithm !== 'ibft' && algorithm !== 'qbft') {
      throw new GenesisError('transition algorithm is invalid, should be either `ibft` or `qbft`');
    }
    if (typeof block !== 'number' || !Number.isSafeInteger(block)) {
      throw new GenesisError('block number not given in transitions data');
    }
    if (block < previous) throw new GenesisError('block order should be ascending');
    if (current === 'qbft' && algorithm === 'ibft') throw new GenesisError("can't transition from qbft to ibft");
    current = algorithm ?? current;
    previous = block;
    return { block, settings };
  });
}
