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
  /** Blocks from which GoQuorum's privacy switches are on; absent for never. */
  readonly privacy: {
    readonly enhancementsBlock?: number | undefined;
    readonly precompileBlock?: number | undefined;
  };
  /** Bytes of deployed code; EIP-170's 24,576 when absent. */
  readonly maxCodeSize?: number;
  /** Bytes of a transaction; the pool's own limit when absent. */
  readonly maxTransactionSize?: number;
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

const QUANTITY = 'must be a quantity: a number, 0x and hex digits, or decimal digits';

/** Quantities of genesis files come as hex, decimal text or JSON numbers. */
const quantity = z
  .union(
    [z.string().regex(/^(0x[0-9a-fA-F]{1,64}|\d{1,77})$/, QUANTITY), z.number().int().nonnegative()],
    QUANTITY,
  )
  .transform((value) => BigInt(value));
/** A quantity that other clients hold in 64 bits. */
const quantity64 = quantity.refine((value) => value < 2n ** 64n, 'must fit into 64 bits');
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
/** Block numbers, times and chain ids, which are held as numbers. */
const counter = quantity.refine((value) => value < 2n ** 53n, 'must be below 2^53').transform(Number);
const fork = counter.nullish();

const configSchema = z.looseObject({
  chainId: counter.refine((id) => id > 0, 'must be positive'),
  ...Object.fromEntries(FORK_KEYS.map((key) => [key, fork])),
  eip155Block: fork,
  ...consensusSchema,
  isQuorum: z.boolean().optional(),
  privacyEnhancementsBlock: z.number().int().nonnegative().optional(),
  privacyPrecompileBlock: z.number().int().nonnegative().optional(),
  /** GoQuorum writes both limits in kB. */
  maxCodeSize: z.number().int().min(24).max(128).optional(),
  txnSizeLimit: z.number().int().min(32).max(128).optional(),
});

const genesisSchema = z.looseObject({
  config: configSchema,
  alloc: z.record(
    addressKey,
    z.strictObject({
      balance: quantity.optional(),
      nonce: quantity64.optional(),
      code: bytes.optional(),
      storage: z.record(z.string(), word).optional(),
      comment: z.string().optional(),
      privateKey: z.string().optional(),
    }),
  ),
  coinbase: addressKey.optional(),
  difficulty: quantity,
  extraData: bytes.optional(),
  gasLimit: quantity64,
  mixHash: word.optional(),
  mixhash: word.optional(),
  nonce: quantity64.optional(),
  parentHash: word.optional(),
  timestamp: counter.optional(),
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
  if (config.chainId === 1)
    throw new GenesisError('genesis config.chainId: 1 belongs to Ethereum and is refused');
  return {
    chainId: BigInt(config.chainId),
    forks: readForks(config),
    consensus: readConsensus(config),
    privacy: {
      enhancementsBlock: config.privacyEnhancementsBlock,
      precompileBlock: config.privacyPrecompileBlock,
    },
    ...(config.maxCodeSize === undefined ? {} : { maxCodeSize: config.maxCodeSize * 1024 }),
    ...(config.txnSizeLimit === undefined ? {} : { maxTransactionSize: config.txnSizeLimit * 1024 }),
    beneficiary: header.coinbase ?? ZERO_ADDRESS,
    difficulty: header.difficulty,
    extraData: header.extraData ?? new Uint8Array(0),
    gasLimit: header.gasLimit,
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

function readForks(config: Readonly<Record<string, unknown>>): ForkSchedule {
  const schedule: Record<string, number | undefined> = {};
  const previous = new Map<'Block' | 'Time', { key: string; at: number }>();
  for (const key of FORK_KEYS) {
    const at = config[key] ?? (key === 'eip158Block' ? config['eip155Block'] : undefined);
    if (typeof at !== 'number') continue;
    const kind = key.endsWith('Block') ? 'Block' : 'Time';
    const before = previous.get(kind);
    if (before !== undefined && at < before.at) {
      throw new GenesisError(`genesis config.${key}: ${at} is before ${before.key}`);
    }
    schedule[key] = at;
    previous.set(kind, { key, at });
  }
  return schedule;
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
