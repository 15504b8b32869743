import { ZERO_ADDRESS, parseAddress, type Address } from '@tetrad/types';
import { z } from 'zod';
import { GenesisError } from './genesis-error.js';
import { transitionRewardAccount, type RewardAccount } from './reward-account.js';
import type { RuleSet } from './rule-set.js';

/** Changes from a block on; later transitions override earlier ones (docs/spec/bft.md#configuration). */
export interface Transition {
  /** Number of the first block with the changes. */
  readonly block: number;
  readonly algorithm?: 'ibft' | 'qbft' | undefined;
  readonly epochLength?: number | undefined;
  readonly blockPeriodMs?: number | undefined;
  readonly emptyBlockPeriodMs?: number | undefined;
  readonly requestTimeoutMs?: number | undefined;
  readonly maxRequestTimeoutMs?: number | undefined;
  readonly validatorContract?: Address | undefined;
  readonly validatorSelection?: ValidatorSelection | undefined;
  /** Replaces the set once, at the block. */
  readonly validators?: readonly Address[] | undefined;
  /** Quorum 2F+1 in place of ceil(2N/3). */
  readonly legacyQuorum?: boolean | undefined;
  /** Wei per block. */
  readonly blockReward?: bigint | undefined;
  /** Absent where the account stays as it was. */
  readonly rewardAccount?: RewardAccount | undefined;
  /** Bytes of deployed code. */
  readonly maxCodeSize?: number | undefined;
  readonly enhancedPermissioning?: boolean | undefined;
  readonly privacyEnhancements?: boolean | undefined;
  readonly privacyPrecompile?: boolean | undefined;
  readonly gasPriceEnabled?: boolean | undefined;
  /** Minimum gas limit of a block; proposers raise it to this at once. */
  readonly leastGasLimit?: bigint | undefined;
  /** Bytes of a transaction. */
  readonly maxTransactionSize?: number | undefined;
}

export type ValidatorSelection = 'contract' | 'blockheader';

/** Fields that sections and transitions share. */
export const count = z.number().int().nonnegative();
export const addressText = z
  .string()
  .regex(/^0x[0-9a-f]{40}$/i, 'must be an address')
  .transform((text) => parseAddress(`0x${text.slice(2)}`));
export const wei = z
  .union([
    z.string().regex(/^(\d{1,78}|0x[0-9a-f]{1,64})$/i, 'must be wei'),
    count,
    // A number that a double cannot hold.
    z.bigint().nonnegative(),
  ])
  .transform((value) => BigInt(value))
  .refine((value) => value < 2n ** 256n, 'must fit into 256 bits');

/** The address of a contract; the zero address means that there is no contract. */
export const contractText = addressText.transform((address) =>
  address === ZERO_ADDRESS ? undefined : address,
);
/** A size in kB; 0 means absent. */
export const kilobytes = (min: number, max: number) =>
  count
    .refine((size) => size === 0 || (size >= min && size <= max), `must be between ${min} and ${max} (kB)`)
    .transform((size) => (size === 0 ? undefined : size * 1024));
/** Bounds that GoQuorum sets for deployed code and for transactions. */
export const codeKilobytes = kilobytes(24, 128);
export const transactionKilobytes = kilobytes(32, 128);

/** Modes are strings here, because the reference has specific texts for invalid ones. */
export const transitionSchema = z.strictObject({
  block: z.unknown().optional(),
  algorithm: z.unknown().optional(),
  epochlength: count.optional(),
  blockperiodseconds: count.optional(),
  xblockperiodmilliseconds: count.optional(),
  emptyblockperiodseconds: count.optional(),
  requesttimeoutseconds: count.optional(),
  maxRequestTimeoutSeconds: count.optional(),
  validatorcontractaddress: contractText.optional(),
  validatorselectionmode: z.string().optional(),
  validators: z.array(addressText).optional(),
  '2FPlus1Enabled': z.boolean().optional(),
  blockReward: wei.optional(),
  beneficiaryMode: z.string().optional(),
  miningBeneficiary: addressText.optional(),
  contractsizelimit: codeKilobytes.optional(),
  enhancedPermissioningEnabled: z.boolean().optional(),
  privacyEnhancementsEnabled: z.boolean().optional(),
  privacyPrecompileEnabled: z.boolean().optional(),
  gasPriceEnabled: z.boolean().optional(),
  'miner.gaslimit': count.optional(),
  transactionSizeLimit: transactionKilobytes.optional(),
});
export const TRANSITION_KEYS: readonly string[] = Object.keys(transitionSchema.shape);
export type TransitionSection = z.output<typeof transitionSchema>;

/**
 * Reads the list.
 * @param chain - undefined without validators
 * @throws GenesisError with the texts of the reference
 */
export function readTransitions(
  sections: readonly TransitionSection[],
  rules: RuleSet,
  chain?: { readonly algorithm: 'ibft' | 'qbft'; readonly hasTestQbftBlock: boolean },
): Transition[] {
  let previous = -1;
  let current = chain?.algorithm;
  return sections.map((section) => {
    const algorithm = readAlgorithm(section.algorithm);
    const block = readBlock(section.block);
    if (block < previous) throw new GenesisError('block order should be ascending');
    if (current === 'qbft' && algorithm === 'ibft')
      throw new GenesisError("can't transition from qbft to ibft");
    if (algorithm !== undefined && chain?.hasTestQbftBlock === true) {
      throw new GenesisError("can't use transition algorithm and testQBFTBlock at the same time");
    }
    current = algorithm ?? current;
    previous = block;
    return { ...settingsOf(section, rules), block, algorithm };
  });
}

/**
 * The algorithm by its name, in any case.
 * @throws GenesisError with the text of the reference
 */
export function readAlgorithm(algorithm: unknown): 'ibft' | 'qbft' | undefined {
  if (algorithm === undefined || algorithm === '') return undefined;
  const name = typeof algorithm === 'string' ? algorithm.toLowerCase() : undefined;
  if (name === 'ibft' || name === 'qbft') return name;
  throw new GenesisError('transition algorithm is invalid, should be either `ibft` or `qbft`');
}

function readBlock(block: unknown): number {
  if (typeof block === 'number' && Number.isSafeInteger(block) && block >= 0) return block;
  throw new GenesisError('block number not given in transitions data');
}

function settingsOf(section: TransitionSection, rules: RuleSet): Omit<Transition, 'block' | 'algorithm'> {
  return {
    epochLength: section.epochlength,
    blockPeriodMs: section.xblockperiodmilliseconds ?? milliseconds(section.blockperiodseconds),
    emptyBlockPeriodMs: milliseconds(section.emptyblockperiodseconds),
    requestTimeoutMs: milliseconds(section.requesttimeoutseconds),
    maxRequestTimeoutMs: milliseconds(section.maxRequestTimeoutSeconds),
    validatorContract: section.validatorcontractaddress,
    validatorSelection: readSelection(section),
    validators: section.validators,
    legacyQuorum: section['2FPlus1Enabled'],
    blockReward: section.blockReward,
    rewardAccount: transitionRewardAccount(section, rules),
    maxCodeSize: section.contractsizelimit,
    enhancedPermissioning: section.enhancedPermissioningEnabled,
    privacyEnhancements: section.privacyEnhancementsEnabled,
    privacyPrecompile: section.privacyPrecompileEnabled,
    gasPriceEnabled: section.gasPriceEnabled,
    leastGasLimit: section['miner.gaslimit'] ? BigInt(section['miner.gaslimit']) : undefined,
    maxTransactionSize: section.transactionSizeLimit,
  };
}

/**
 * How validators are chosen.
 * @throws GenesisError with the texts of the reference
 */
export function readSelection(section: {
  readonly validatorselectionmode?: string | undefined;
  readonly validatorcontractaddress?: Address | undefined;
}): ValidatorSelection | undefined {
  const { validatorselectionmode: mode, validatorcontractaddress: contract } = section;
  if (mode === 'contract' || mode === 'blockheader') return mode;
  if (mode !== undefined && mode !== '') {
    throw new GenesisError(
      'validator selection mode is invalid, should be either `contract` or `blockheader`',
    );
  }
  if (contract === undefined) return undefined;
  throw new GenesisError(
    'validator selection mode is missing, should specify `contract` when using validatorcontractaddress',
  );
}

function milliseconds(seconds: number | undefined): number | undefined {
  return seconds === undefined ? undefined : seconds * 1000;
}
