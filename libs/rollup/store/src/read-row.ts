import type { SqlRow, Table } from '@tetrad/db';
import { RollupStoreError } from './rollup-store-error.js';

/** Fields of a row, as the client or a statement reads them. */
export type ReadRow<Of extends Table, Field extends keyof NonNullable<Of['model']>> =
  Pick<NonNullable<Of['model']>, Field> | SqlRow<Of, Field>;

/** What the client selects to read fields. */
export function selectOf<Field extends string>(fields: readonly Field[]): Record<Field, true> {
  return Object.fromEntries(fields.map((field) => [field, true])) as Record<Field, true>;
}

/** Numeric as the driver has it, and as the client does. */
type Numeric = string | { toFixed(): string };

/** The integer that a numeric column holds. */
export function integerOf(value: Numeric): bigint {
  return BigInt(typeof value === 'string' ? value : value.toFixed());
}

/** The number that an int8 column holds; ours are below 2^53. */
export function numberOf(value: bigint | number | null): number | undefined {
  return value === null ? undefined : Number(value);
}

/**
 * The value of a column that must have one.
 *
 * @throws RollupStoreError without it
 */
export function here<Value>(value: Value | null | undefined): Value {
  if (value === null || value === undefined) throw new RollupStoreError('a value is missing');
  return value;
}
