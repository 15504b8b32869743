import { asBuffer, type SqlRow, type Table } from '@tetrad/db';

/** What a statement reads a field of JSON as; bytes are hex in it. */
type ColumnType = 'int' | 'bigint' | 'numeric' | 'text' | 'jsonb' | 'bytea' | 'boolean';

type InJson<Value> = Value extends Uint8Array ? string : Value extends null ? undefined : Value;

/** Fields of a row as they are put into the JSON text of a statement. */
export type JsonRow<Of extends Table, Field extends keyof NonNullable<Of['model']>> = {
  readonly [Name in Field]: InJson<SqlRow<Of>[Name]>;
};

/** The parts of a statement that reads rows of a table from one JSON text, which costs a third of an array for each column. */
export interface JsonRecord {
  /** Names of the columns. */
  readonly columns: string;
  /** Their values, of what `json_to_recordset` gives. */
  readonly values: string;
  /** What `json_to_recordset` has to know: `hash text, "accountId" int`. */
  readonly definition: string;
}

/**
 * @param table - of the schema
 * @param types - by field
 */
export function jsonRecord<Model extends object>(
  { columns }: Table<Model>,
  types: { readonly [Field in keyof Model & string]?: ColumnType },
): JsonRecord {
  const fields = Object.entries(types) as [keyof Model & string, ColumnType][];
  return {
    columns: fields.map(([field]) => columns[field]).join(', '),
    values: fields
      .map(([field, type]) => (type === 'bytea' ? `decode("${field}", 'hex')` : `"${field}"`))
      .join(', '),
    definition: fields.map(([field, type]) => `"${field}" ${type === 'bytea' ? 'text' : type}`).join(', '),
  };
}

/** Bytes as JSON has them. */
export function hexOf(bytes: Uint8Array): string {
  return asBuffer(bytes).toString('hex');
}
