import {
  ZERO_ADDRESS,
  ZERO_HASH,
  bytesFromHex,
  parseAddress,
  parseHash,
  type Address,
  type Hash,
} from '@tetrad/types';
import { z } from 'zod';
import { consensusSchema, readConsensus, type ConsensusConfig } from './consensus-config.js';
import { FORK_KEYS, type ForkSchedule } from './forks.js';
import { GenesisError } from './genesis-error.js';

/** An account that exists from block 0 on. */
export interface GenesisAccount {
  readonly address: Address;
  readonly balance: bigint;
  readonly nonce: bigint;
  readonly code: Uint8Array;
  /** 32-byte slots and values. */
  readonly storage: readonly { readonly slot: Uint8Array; readonly value: Uint8Array }[];
}

/** A chain's definition, read from `genesis.json` in Ethereum's form. */
export interface Genesis {
  readonly chainId: bigint;
  readonly forks: ForkSchedule;
  readonly consensus: ConsensusConfig;
  /** GoQuorum's privacy switches, kept for the privacy manager. */
  readonly privacy: { readonly enhancements: boolean; readonly precompile: boolean };
  /** Bytes of deployed code; EIP-170's 24,576 when absent. */
  readonly maxCodeSize?: number;
  readonly beneficiary: Address;
  readonly difficulty: bigint;
  readonly extraData: Uint8Array;
  readonly gasLimit: bigint;
  readonly mixHash: Hash;
  readonly nonce: Uint8Array;
  readonly parentHash: Hash;
  readonly timestamp: number;
  readonly alloc: readonly GenesisAccount[];
}

/** Quantities of genesis files come as hex, decimal text or JSON numbers. */
const quantity = z
  .union([
    z.string().regex(/^(0x[0-9a-fA-F]{1,64}|\d{1,78})$/, 'must be a quantity: 0x and hex digits, or decimal digits'),
    z.number().int().nonnegative(),
  ])
  .transform((value) => BigInt(value));
const bytes = z
  .string()
  .regex(/^(0x)?([0-9a-fA-F]{2})*$/, 'must be hex of whole bytes')
  .transform((text) => bytesFromHex(text.startsWith('0x') ? text : `0x${text}`));
const addressKey = z
  .string()
  .regex(/^(0x)?[0-9a-fA-F]{40}$/, 'must be an address')
  .transform((text) => parseAddress(text.startsWith('0x') ? text : `0x${text}`));
const word = z
  .string()
  .regex(/^(0x)?[0-9a-fA-F]{1,64}$/, 'must be at most 32 bytes of hex')
  .transform((text) => bytesFromHex(`0x${text.replace(/^0x/, '').padStart(64, '0')}`));
const fork = z.number().int().nonnegative().nullish();

const configSchema = z.looseObject({
  chainId: z.number().int().positive(),
  ...Object.fromEntries(FORK_KEYS.map((key) => [key, fork])),
  eip155Block: fork,
  ...consensusSchema,
  isQuorum: z.boolean().optional(),
  privacyEnhancementsBlock: z.number().int().nonnegative().optional(),
  privacyPrecompileBlock: z.number().int().nonnegative().optional(),
  maxCodeSize: z.number().int().positive().optional(),
});

const genesisSchema = z.looseObject({
  config: configSchema,
  alloc: z.record(
    addressKey,
    z.strictObject({
      balance: quantity.optional(),
      nonce: quantity.optional(),
      code: bytes.optional(),
      storage: z.record(z.string(), word).optional(),
      comment: z.string().optional(),
      privateKey: z.string().optional(),
    }),
  ),
  coinbase: addressKey.optional(),
  difficulty: quantity,
  extraData: bytes.optional(),
  gasLimit: quantity,
  mixHash: word.optional(),
  mixhash: word.optional(),
  nonce: quantity.optional(),
  parentHash: word.optional(),
  timestamp: quantity.optional(),
});

/**
 * Reads a genesis file.
 *
 * Fails: GenesisError naming the field; chain id 1 is refused, because it is Ethereum's
 */
export function parseGenesis(json: unknown): Genesis {
  const parsed = genesisSchema.safeParse(json);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    throw new GenesisError(`genesis ${issue?.path.join('.') || 'file'}: ${issue?.message}`);
  }
  const { config, alloc, ...header } = parsed.data;
  if (config.chainId === 1) throw new GenesisError('genesis config.chainId: 1 belongs to Ethereum and is refused');
  return {
    chainId: BigInt(config.chainId),
    forks: readForks(config),
    consensus: readConsensus(config),
    privacy: {
      enhancements: config.privacyEnhancementsBlock !== undefined,
      precompile: config.privacyPrecompileBlock !== undefined,
    },
    ...(config.maxCodeSize === undefined ? {} : { maxCodeSize: kilobytes(config.maxCodeSize) }),
    beneficiary: header.coinbase ?? ZERO_ADDRESS,
    difficulty: header.difficulty,
    extraData: header.extraData ?? new Uint8Array(0),
    gasLimit: header.gasLimit,
    mixHash: hashOf(header.mixHash ?? header.mixhash),
    nonce: bytesFromHex(`0x${(header.nonce ?? 0n).toString(16).padStart(16, '0')}`),
    parentHash: hashOf(header.parentHash),
    timestamp: Number(header.timestamp ?? 0n),
    alloc: Object.entries(alloc).map(([address, account]) => ({
      address: parseAddress(address),
      balance: account.balance ?? 0n,
      nonce: account.nonce ?? 0n,
      code: account.code ?? new Uint8Array(0),
      storage: Object.entries(account.storage ?? {}).map(([slot, value]) => ({ slot: parseSlot(address, slot), value })),
    })),
  };
}

function readForks(config: Readonly<Record<string, unknown>>): ForkSchedule {
  const schedule: Record<string, number | undefined> = {};
  let previous: { key: string; at: number } | undefined;
  for (const key of FORK_KEYS) {
    const at = config[key] ?? (key === 'eip158Block' ? config['eip155Block'] : undefined);
    if (typeof at !== 'number') continue;
    if (key.endsWith('Block') && previous !== undefined && at < previous.at) {
      throw new GenesisError(`genesis config.${key}: ${at} is before ${previous.key}`);
    }
    schedule[key] = at;
    if (key.endsWith('Block')) previous = { key, at };
  }
  return schedule;
}

function parseSlot(address: string, slot: string): Uint8Array {
  const parsed = word.safeParse(slot);
  if (!parsed.success) throw new GenesisError(`genesis alloc.${address}.storage.${slot}: must be at most 32 bytes of hex`);
  return parsed.data;
}

function hashOf(value: Uint8Array | undefined): Hash {
  return value === undefined ? ZERO_HASH : parseHash(`0x${Buffer.from(value).toString('hex')}`);
}

/** GoQuorum writes the limit in kB, between 24 and 128. */
function kilobytes(value: number): number {
  if (value < 24 || value > 128) throw new GenesisError(`genesis config.maxCodeSize: ${value} is not between 24 and 128`);
  return value * 1024;
}
