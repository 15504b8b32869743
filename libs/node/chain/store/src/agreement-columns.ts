import { byteaArray, columnsOf, integerArray, namesOf, type SqlRow } from '@tetrad/db';
import { blockColumns, type AgreementBlock } from './agreement-rows.js';
import { privateAgreementBlock } from './generated/tables.js';

/** All columns of a block of a pair, with their types. */
const TYPES = {
  own: 'bytea',
  other: 'bytea',
  blockNumber: 'bigint',
  ownStatement: 'bytea',
  otherStatement: 'bytea',
  otherBefore: 'bytea',
  ownList: 'bytea',
  otherList: 'bytea',
  otherOutcome: 'bytea',
  ownRules: 'bytea',
  otherRules: 'bytea',
  state: 'text',
  transaction: 'bytea',
  sent: 'smallint',
  sends: 'int',
  nextAt: 'timestamptz',
  madeAt: 'timestamptz',
} as const;
type Field = keyof typeof TYPES;
const FIELDS = Object.keys(TYPES) as readonly Field[];

const { table, columns } = privateAgreementBlock;
const KEY = ['blockNumber', 'own', 'other'] as const;
const isKey = (field: Field) => (KEY as readonly Field[]).includes(field);
/** All but the pair and the block. */
export const CONTENT = FIELDS.filter((field): field is Exclude<Field, (typeof KEY)[number]> => !isKey(field));
export type ReadContent = SqlRow<typeof privateAgreementBlock, (typeof CONTENT)[number]>;

/** What a SELECT of whole rows reads. */
export const ROW = columnsOf(privateAgreementBlock, FIELDS);
export type ReadRow = SqlRow<typeof privateAgreementBlock, Field>;

/**
 * Stores rows, each in place of one of before.
 * @param first - number of the first parameter; `rowValues` are this and the following ones
 */
export function putRows(first: number): string {
  const arrays = FIELDS.map((field, index) => `$${first + index}::${TYPES[field]}[]`);
  const changes = CONTENT.map((field) => `${columns[field]} = excluded.${columns[field]}`);
  return `
  INSERT INTO ${table} (${namesOf(privateAgreementBlock, FIELDS)}) SELECT * FROM unnest(${arrays.join(', ')})
      ON CONFLICT (${namesOf(privateAgreementBlock, KEY)}) DO UPDATE SET ${changes.join(', ')}`;
}

/** How many parameters `putRows` takes. */
export const ROW_VALUES = FIELDS.length;

/** The rows as an array for each column. */
export function rowValues(rows: readonly AgreementBlock[]): unknown[] {
  const found = rows.map(blockColumns);
  return FIELDS.map((field) =>
    arrayOf(
      TYPES[field],
      found.map((row) => row[field]),
    ),
  );
}

function arrayOf(type: (typeof TYPES)[Field], values: readonly unknown[]): unknown {
  switch (type) {
    case 'bytea':
      return byteaArray(values as (Uint8Array | null)[]);
    case 'smallint':
      return integerArray(2, values as number[]);
    case 'int':
      return integerArray(4, values as number[]);
    case 'bigint':
      return integerArray(8, values as bigint[]);
    default:
      return values;
  }
}
