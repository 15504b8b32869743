import { parseAddress, type Address } from '@tetrad/types';
import { z } from 'zod';
import { GenesisError } from './genesis-error.js';

/** What changes from a block on; later transitions override earlier ones (ibft.md, section 1). */
export interface Transition {
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
  readonly blockReward?: bigint | undefined;
  readonly beneficiaryMode?: BeneficiaryMode | undefined;
  readonly miningBeneficiary?: Address | undefined;
  /** Bytes of deployed code. */
  readonly maxCodeSize?: number | undefined;
  readonly enhancedPermissioning?: boolean | undefined;
  readonly privacyEnhancements?: boolean | undefined;
  readonly privacyPrecompile?: boolean | undefined;
  readonly gasPriceEnabled?: boolean | undefined;
  readonly gasLimit?: bigint | undefined;
  /** Bytes of a transaction. */
  readonly maxTransactionSize?: number | undefined;
}

export type ValidatorSelection = 'contract' | 'blockheader';

export const BENEFICIARY_MODES = ['', 'fixed', 'validators', 'validator', 'list'] as const;
export type BeneficiaryMode = (typeof BENEFICIARY_MODES)[number];

/** Fields that sections and transitions share. */
export const count = z.number().int().nonnegative();
export const addressText = z
  .string()
  .regex(/^0x[0-9a-fA-F]{40}$/, 'must be an address')
  .transform((text) => parseAddress(text));
export const wei = z
  .union([z.string().regex(/^(\d+|0x[0-9a-fA-F]+)$/, 'must be wei'), count])
  .transform((value) => BigInt(value));

/** Modes are strings here, because the reference has texts of its own for wrong ones. */
export const transitionSchema = z.object({
  block: z.unknown().optional(),
  algorithm: z.unknown().optional(),
  epochlength: count.optional(),
  blockperiodseconds: count.optional(),
  xblockperiodmilliseconds: count.optional(),
  emptyblockperiodseconds: count.optional(),
  requesttimeoutseconds: count.optional(),
  maxRequestTimeoutSeconds: count.optional(),
  validatorcontractaddress: addressText.optional(),
  validatorselectionmode: z.string().optional(),
  validators: z.array(addressText).optional(),
  '2FPlus1Enabled': z.boolean().optional(),
  blockReward: wei.optional(),
  beneficiaryMode: z.string().optional(),
  miningBeneficiary: addressText.optional(),
  contractsizelimit: count.optional(),
  enhancedPermissioningEnabled: z.boolean().optional(),
  privacyEnhancementsEnabled: z.boolean().optional(),
  privacyPrecompileEnabled: z.boolean().optional(),
  gasPriceEnabled: z.boolean().optional(),
  'miner.gaslimit': count.optional(),
  transactionSizeLimit: count.optional(),
});
type TransitionSection = z.output<typeof transitionSchema>;

/** Reads the list. Fails: GenesisError with the texts of the reference. */
export function readTransitions(
  sections: readonly TransitionSection[],
  chain: { readonly algorithm: 'ibft' | 'qbft'; readonly hasTestQbftBlock: boolean },
): Transition[] {
  let previous = -1;
  let current = chain.algorithm;
  return sections.map((section) => {
    const algorithm = readAlgorithm(section.algorithm);
    const block = readBlock(section.block);
    if (block < previous) throw new GenesisError('block order should be ascending');
    if (current === 'qbft' && algorithm === 'ibft')
      throw new GenesisError("can't transition from qbft to ibft");
    if (algorithm !== undefined && chain.hasTestQbftBlock) {
      throw new GenesisError("can't use transition algorithm and testQBFTBlock at the same time");
    }
    current = algorithm ?? current;
    previous = block;
    return { ...settingsOf(section), block, algorithm };
  });
}

function readAlgorithm(algorithm: unknown): 'ibft' | 'qbft' | undefined {
  if (algorithm === undefined || algorithm === '') return undefined;
  if (algorithm === 'ibft' || algorithm === 'qbft') return algorithm;
  throw new GenesisError('transition algorithm is invalid, should be either `ibft` or `qbft`');
}

function readBlock(block: unknown): number {
  if (typeof block === 'number' && Number.isSafeInteger(block) && block >= 0) return block;
  throw new GenesisError('block number not given in transitions data');
}

function settingsOf(section: TransitionSection): Omit<Transition, 'block' | 'algorithm'> {
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
    beneficiaryMode: readBeneficiaryMode(section.beneficiaryMode),
    miningBeneficiary: section.miningBeneficiary,
    maxCodeSize: kilobytes(section.contractsizelimit),
    enhancedPermissioning: section.enhancedPermissioningEnabled,
    privacyEnhancements: section.privacyEnhancementsEnabled,
    privacyPrecompile: section.privacyPrecompileEnabled,
    gasPriceEnabled: section.gasPriceEnabled,
    gasLimit: section['miner.gaslimit'] === undefined ? undefined : BigInt(section['miner.gaslimit']),
    maxTransactionSize: kilobytes(section.transactionSizeLimit),
  };
}

/** How validators are chosen. Fails: GenesisError with the texts of the reference. */
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

export function readBeneficiaryMode(mode: string | undefined): BeneficiaryMode | undefined {
  if (mode === undefined) return undefined;
  const known = BENEFICIARY_MODES.find((candidate) => candidate === mode);
  if (known === undefined) throw new GenesisError('beneficiary mode is not valid');
  return known;
}

function milliseconds(seconds: number | undefined): number | undefined {
  return seconds === undefined ? undefined : seconds * 1000;
}

function kilobytes(size: number | undefined): number | undefined {
  return size === undefined ? undefined : size * 1024;
}
