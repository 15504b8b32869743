import * as z from 'zod';
import { AbiFault } from './abi-fault.js';

/** Variables of a contract, or members of a struct. */
const MAX_VARIABLES = 1_000;
/** Types of a contract. */
const MAX_TYPES = 2_000;
const SLOTS = 2n ** 256n;

/** A decimal number below 2^256, as text. */
const number = z
  .string()
  .regex(/^[0-9]{1,78}$/, 'must be a decimal number as text')
  .transform((text) => BigInt(text))
  .refine((value) => value < SLOTS, 'must be below 2^256');
const label = z.string().max(200);

/** A state variable or a member of a struct; the names are a stranger's text. */
const variableSchema = z.object({
  label,
  slot: number,
  /** Bytes from the right of the slot. */
  offset: z.number().int().min(0).max(31),
  type: z.string().max(1_000),
});
export type Variable = z.output<typeof variableSchema>;

const typeSchema = z.object({
  encoding: z.enum(['inplace', 'mapping', 'dynamic_array', 'bytes']),
  label,
  numberOfBytes: number,
  /** Of a mapping: types of its keys and values. */
  key: z.string().optional(),
  value: z.string().optional(),
  /** Base of an array: the type of its elements. */
  base: z.string().optional(),
  /** Members of a struct; slots are relative to its own. */
  members: z.array(variableSchema).max(MAX_VARIABLES).optional(),
});
export type StorageType = z.output<typeof typeSchema>;

const layoutSchema = z.object({
  storage: z.array(variableSchema).max(MAX_VARIABLES),
  // Null for a contract without variables.
  types: z.record(z.string(), typeSchema).nullable(),
});

/** Where the variables of a contract are, as the Solidity compiler writes it. */
export interface StorageLayout {
  readonly variables: readonly Variable[];
  readonly types: ReadonlyMap<string, StorageType>;
}

/** @throws AbiFault with the field, also for a type that is not described */
export function parseStorageLayout(value: unknown, field: string): StorageLayout {
  const parsed = layoutSchema.safeParse(value);
  if (!parsed.success) throw AbiFault.of(parsed.error, field);
  const types = new Map(Object.entries(parsed.data.types ?? {}));
  if (types.size > MAX_TYPES) throw new AbiFault(`${field}.types`, `more than ${MAX_TYPES}`);
  const { storage } = parsed.data;
  for (const [at, { type }] of storage.entries()) assertKnown(type, types, `${field}.storage.${at}.type`);
  for (const [name, { key, value: held, base, members }] of types)
    for (const type of [key, held, base, ...(members ?? []).map((one) => one.type)])
      if (type !== undefined) assertKnown(type, types, `${field}.types.${name}`);
  return { variables: storage, types };
}

function assertKnown(type: string, types: ReadonlyMap<string, unknown>, field: string): void {
  if (!types.has(type)) throw new AbiFault(field, `${type.slice(0, 60)} is not among the types`);
}
