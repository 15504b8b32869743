import { bytesFromHex, parseAddress } from '@tetrad/types';
import { z } from 'zod';
import { consensusSchema } from './consensus-config.js';
import { FORK_KEYS } from './forks.js';
import { RULE_SETS } from './rule-set.js';
import { codeKilobytes, transactionKilobytes } from './transitions.js';

const QUANTITY = 'must be a quantity: a number, 0x and hex digits, or decimal digits';

/** Quantities of genesis files come as hex, decimal text or JSON numbers. */
const quantity = z
  .union(
    [
      z.string().regex(/^(0[xX][0-9a-fA-F]{1,64}|\d{1,77})$/, QUANTITY),
      z.number().int().nonnegative(),
      // A number that a double cannot hold.
      z.bigint().nonnegative(),
    ],
    QUANTITY,
  )
  .transform((value) => BigInt(value))
  .refine((value) => value < 2n ** 256n, 'must fit into 256 bits');
/** A quantity that other clients hold in 64 bits. */
const quantity64 = quantity.refine((value) => value < 2n ** 64n, 'must fit into 64 bits');
/** Digits of hex with 0x, with 0X as Go writes it too, or with none. */
const PREFIX = /^0x/i;
const bytes = z
  .string()
  .regex(/^(0x)?([0-9a-f]{2})*$/i, 'must be hex of whole bytes')
  .transform((text) => bytesFromHex(`0x${text.replace(PREFIX, '')}`));
const addressKey = z
  .string()
  .regex(/^(0x)?[0-9a-f]{40}$/i, 'must be an address')
  .transform((text) => parseAddress(`0x${text.replace(PREFIX, '')}`));
export const word = z
  .string()
  .regex(/^(0x)?[0-9a-f]{1,64}$/i, 'must be at most 32 bytes of hex')
  .transform((text) => bytesFromHex(`0x${text.replace(PREFIX, '').padStart(64, '0')}`));
/** Block numbers, times and chain ids, which are held as numbers. */
const counter = quantity.refine((value) => value < 2n ** 53n, 'must be below 2^53').transform(Number);
const fork = counter.nullish();
const switchBlock = z.number().int().nonnegative().optional();

/** GoQuorum gives limits in kB. */
const codeSizeAtBlock = z.strictObject({
  block: counter,
  size: codeKilobytes.refine((size) => size !== undefined, 'must be between 24 and 128 (kB)'),
});

export const configSchema = z.looseObject({
  chainId: counter.refine((id) => id > 0, 'must be positive'),
  rules: z.enum(RULE_SETS).optional(),
  ...Object.fromEntries(FORK_KEYS.map((key) => [key, fork])),
  eip155Block: fork,
  ...consensusSchema,
  isQuorum: z.boolean().optional(),
  privacyEnhancementsBlock: switchBlock,
  privacyPrecompileBlock: switchBlock,
  enableGasPriceBlock: switchBlock,
  qip714Block: switchBlock.nullable(),
  maxCodeSize: codeKilobytes.optional(),
  maxCodeSizeChangeBlock: switchBlock,
  maxCodeSizeConfig: z.array(codeSizeAtBlock).optional(),
  txnSizeLimit: transactionKilobytes.optional(),
  maxTransactionGas: counter.optional(),
  zeroBaseFee: z.literal(true, 'must be true: the base fee of every block is zero').optional(),
});
/** Keys of `config` that GoQuorum does not know. */
export const TETRAD_KEYS: readonly string[] = ['maxTransactionGas', 'zeroBaseFee'];
export type ConfigSection = z.output<typeof configSchema>;

export const accountSchema = z.strictObject({
  balance: quantity.optional(),
  nonce: quantity64.optional(),
  code: bytes.optional(),
  storage: z.record(z.string(), word).optional(),
  comment: z.string().optional(),
  privateKey: z.string().optional(),
});

export const genesisSchema = z.looseObject({
  config: configSchema,
  alloc: z.record(addressKey, accountSchema),
  coinbase: addressKey.optional(),
  difficulty: quantity,
  extraData: bytes.optional(),
  gasLimit: quantity64,
  gasUsed: quantity64.optional(),
  mixHash: word.optional(),
  mixhash: word.optional(),
  nonce: quantity64.optional(),
  number: quantity64.refine((number) => number === 0n, 'must be 0').optional(),
  parentHash: word.optional(),
  timestamp: counter.optional(),
});
export type GenesisSections = z.output<typeof genesisSchema>;
