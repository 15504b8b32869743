import { ImportRefusedError } from '../import-refused-error.js';
import type { Dialect } from './dialect.js';
import { bytesOfText, type SqlValue } from './sql-value.js';

/** A row of a table that was asked for. */
export interface DumpRow {
  /** In lower case, without its schema. */
  readonly table: string;
  /** Counted from 1 in each table. */
  readonly row: number;
  /**
   * Bytes or text of a column, in lower case; undefined when it is null, or not in the table.
   * @throws ImportRefusedError
   */
  bytes(column: string): Buffer | undefined;
  text(column: string): string | undefined;
}

/** A row of the values that a dump has for its columns. */
export function dumpRow(
  { table, row, dialect }: Pick<DumpRow, 'table' | 'row'> & { readonly dialect: Dialect },
  valueAt: (column: string) => SqlValue,
): DumpRow {
  const nameOf = (column: string) => `row ${row} of ${table}: ${column}`;
  return {
    table,
    row,
    bytes: (column) => bytesAt(nameOf(column), valueAt(column), dialect),
    text: (column) => textAt(nameOf(column), valueAt(column)),
  };
}

/** Names the row and column in a refusal. */
export function withPlace<T>(where: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof ImportRefusedError) throw new ImportRefusedError(`${where}: ${error.message}`);
    throw error;
  }
}

function bytesAt(where: string, value: SqlValue, dialect: Dialect): Buffer | undefined {
  if (value.kind === 'null') return undefined;
  if (value.kind === 'bytes') return value.bytes;
  if (value.kind === 'text') return withPlace(where, () => bytesOfText(value.bytes, dialect));
  throw new ImportRefusedError(`${where}: ${value.kind === 'other' ? value.text : 'the value'} is not bytes`);
}

function textAt(where: string, value: SqlValue): string | undefined {
  if (value.kind === 'null') return undefined;
  if (value.kind === 'text') return value.bytes.toString('utf8');
  throw new ImportRefusedError(`${where}: is not text`);
}
