import {
  ZERO_ADDRESS,
  ZERO_HASH,
  bytesFromHex,
  parseAddress,
  parseHash,
  type Address,
  type Hash,
} from '@tetrad/types';
import { limitsOf, type LimitChange } from './chain-limits.js';
import { readConsensus, type ConsensusConfig, type DefaultTimes } from './consensus-config.js';
import { isRecord, memberOf, type JsonObject } from './folded-keys.js';
import { readForks, type ForkSchedule } from './forks.js';
import { GenesisError } from './genesis-error.js';
import { genesisSchema, word, type ConfigSection, type GenesisSections } from './genesis-schema.js';
import { foldGoQuorumFile, type GoQuorumFile } from './goquorum-file.js';
import { chooseRules, type RuleSet } from './rule-set.js';
import { foldTetradFile } from './tetrad-file.js';

/** Keys of `config` that promise protection from a block on, or at once; those that are served are kept. */
const CONFIG_PROMISES = ['isMPS'];

/**
 * The keys of a file by which people, or what they send, are to be protected, by their place in the file, as far as nothing
 * here does that yet. A node that cannot do what one of them promises must not start: users would not notice that it is missing.
 */
function promisedProtection(config: unknown): readonly string[] {
  if (!isRecord(config)) return [];
  const isOn = (value: unknown) => value !== undefined && value !== null && value !== false;
  return CONFIG_PROMISES.filter((key) => isOn(memberOf(config, key))).map((key) => `config.${key}`);
}

/** An account that exists from block 0 on. */
export interface GenesisAccount {
  readonly address: Address;
  /** Balance in wei. */
  readonly balance: bigint;
  readonly nonce: bigint;
  readonly code: Uint8Array;
  /** 32-byte slots and values. */
  readonly storage: readonly { readonly slot: Uint8Array; readonly value: Uint8Array }[];
}

/** A chain's definition, read from `genesis.json` in Ethereum's form. */
export interface Genesis {
  readonly chainId: bigint;
  /** The file's `config` unchanged, for clients that query it; everything else here was read from it. */
  readonly fileConfig: unknown;
  /** Whose rules apply to reading the file and counting votes (docs/adr/0075). */
  readonly rules: RuleSet;
  readonly forks: ForkSchedule;
  readonly consensus: ConsensusConfig;
  /** Blocks from which GoQuorum's privacy switches are on; absent for never. */
  readonly privacy: {
    readonly enhancementsBlock?: number | undefined;
    readonly precompileBlock?: number | undefined;
  };
  /** Head from which permission contracts are enforced; absent when at most transitions set it. */
  readonly permissioningBlock?: number | undefined;
  /** Paths of keys that demand protection which this node does not implement. */
  readonly promises: readonly string[];
  /** Keys that have no effect; a line each. */
  readonly warnings: readonly string[];
  readonly limits: readonly LimitChange[];
  readonly beneficiary: Address;
  readonly difficulty: bigint;
  readonly extraData: Uint8Array;
  readonly gasLimit: bigint;
  readonly gasUsed: bigint;
  readonly mixHash: Hash;
  /** Nonce of block 0 (8 bytes). */
  readonly nonce: Uint8Array;
  readonly parentHash: Hash;
  /** Timestamp of block 0 as in the file, in the units of the chain's headers. */
  readonly timestamp: number;
  readonly alloc: readonly GenesisAccount[];
}

/** GoQuorum's limit of a transaction where the file has none. Units: bytes */
const GOQUORUM_TRANSACTION_SIZE = 64 * 1024;

/**
 * Reads a genesis file.
 * @param rules - that an option chooses, where the file does not say which
 * @param times - that options give, where the file does not
 * @throws GenesisError naming the field; chain id 1 is refused, because it is Ethereum's
 */
export function parseGenesis(json: unknown, rules?: RuleSet, times: DefaultTimes = {}): Genesis {
  if (!isRecord(json)) throw new GenesisError('genesis file: must be a JSON object');
  const chosen = chooseRules(memberOf(json, 'config'), rules);
  const { json: file, warnings } = readKeys(json, chosen);
  const parsed = genesisSchema.safeParse(file);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    throw new GenesisError(`genesis ${issue?.path.join('.') || 'file'}: ${issue?.message}`);
  }
  assertDistinctAccounts(file['alloc']);
  const { config } = parsed.data;
  if (config.chainId === 1)
    throw new GenesisError('genesis config.chainId: 1 belongs to Ethereum and is refused');
  const consensus = readConsensus(config, { rules: chosen, times });
  return {
    chainId: BigInt(config.chainId),
    fileConfig: memberOf(json, 'config'),
    rules: chosen,
    forks: readForks(config),
    consensus,
    privacy: {
      enhancementsBlock: config.privacyEnhancementsBlock,
      precompileBlock: config.privacyPrecompileBlock,
    },
    permissioningBlock: config.qip714Block ?? undefined,
    promises: promisedProtection(memberOf(json, 'config')),
    warnings,
    limits: [...ownLimits(config, chosen), ...limitsOf(consensus.transitions)],
    ...blockZero(parsed.data),
  };
}

function readKeys(json: JsonObject, rules: RuleSet): GoQuorumFile {
  return rules === 'goquorum' ? foldGoQuorumFile(json) : foldTetradFile(json);
}

function blockZero({ alloc, ...header }: GenesisSections) {
  return {
    beneficiary: header.coinbase ?? ZERO_ADDRESS,
    difficulty: header.difficulty,
    extraData: header.extraData ?? new Uint8Array(0),
    gasLimit: header.gasLimit,
    gasUsed: header.gasUsed ?? 0n,
    mixHash: hashOf(header.mixHash ?? header.mixhash),
    nonce: bytesFromHex(`0x${(header.nonce ?? 0n).toString(16).padStart(16, '0')}`),
    parentHash: hashOf(header.parentHash),
    timestamp: header.timestamp ?? 0,
    alloc: Object.entries(alloc).map(([address, account]) => ({
      address: parseAddress(address),
      balance: account.balance ?? 0n,
      nonce: account.nonce ?? 0n,
      code: account.code ?? new Uint8Array(0),
      storage: Object.entries(account.storage ?? {}).map(([slot, value]) => ({
        slot: parseSlot(address, slot),
        value,
      })),
    })),
  };
}

/**
 * Limits of sizes and gas prices in `config` itself.
 * @throws GenesisError where GoQuorum refuses them
 */
function ownLimits(config: ConfigSection, rules: RuleSet): LimitChange[] {
  const { maxCodeSize, maxCodeSizeChangeBlock, maxCodeSizeConfig = [], txnSizeLimit } = config;
  const { maxTransactionGas } = config;
  if (maxCodeSizeConfig.length > 0 && (maxCodeSize ?? maxCodeSizeChangeBlock) !== undefined) {
    const key = maxCodeSize === undefined ? 'maxCodeSizeChangeBlock' : 'maxCodeSize';
    throw new GenesisError(`genesis config.${key}: cannot be given together with maxCodeSizeConfig`);
  }
  assertAscending(maxCodeSizeConfig.map(({ block }) => block));
  if (maxCodeSizeConfig.length > 0 && config.transitions?.some(({ contractsizelimit }) => contractsizelimit))
    throw new GenesisError(
      'genesis config.maxCodeSizeConfig: cannot be given together with transitions of contractsizelimit',
    );
  const isQuorum = rules === 'goquorum';
  return [
    {
      block: 0,
      maxTransactionSize: txnSizeLimit ?? (isQuorum ? GOQUORUM_TRANSACTION_SIZE : undefined),
      maxTransactionGas: maxTransactionGas === 0 ? Infinity : maxTransactionGas,
      isGasFree: isQuorum && config.isQuorum === true ? true : undefined,
    },
    ...(maxCodeSize === undefined ? [] : [{ block: maxCodeSizeChangeBlock ?? 0, maxCodeSize }]),
    ...maxCodeSizeConfig.map(({ block, size }) => ({ block, maxCodeSize: size })),
    ...(config.enableGasPriceBlock === undefined
      ? []
      : [{ block: config.enableGasPriceBlock, isGasFree: false }]),
  ];
}

function assertAscending(blocks: readonly number[]): void {
  const index = blocks.findIndex((block, at) => at > 0 && block < (blocks[at - 1] ?? 0));
  if (index !== -1)
    throw new GenesisError(`genesis config.maxCodeSizeConfig.${index}.block: must be ascending`);
}

/**
 * Addresses are written with and without 0x, in any case.
 * @throws GenesisError when two of them are one
 */
function assertDistinctAccounts(alloc: unknown): void {
  const seen = new Set<string>();
  for (const key of Object.keys(alloc as object)) {
    const digits = key.toLowerCase().replace(/^0x/, '');
    if (seen.has(digits)) throw new GenesisError(`genesis alloc.${key}: duplicate account`);
    seen.add(digits);
  }
}

function parseSlot(address: string, slot: string): Uint8Array {
  const parsed = word.safeParse(slot);
  if (!parsed.success)
    throw new GenesisError(`genesis alloc.${address}.storage.${slot}: must be at most 32 bytes of hex`);
  return parsed.data;
}

function hashOf(value: Uint8Array | undefined): Hash {
  return value === undefined ? ZERO_HASH : parseHash(`0x${Buffer.from(value).toString('hex')}`);
}
