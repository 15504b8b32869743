import { NODE_TABLES, type HashedTable } from '../state-tables.js';
import type { Statements } from '../statements.js';

/** Bytes of the two tables with their indexes. */
export interface StateTableSizes {
  /** The table for new nodes. */
  readonly current: number;
  /** Its rows alone. */
  readonly currentRows: number;
  /** The table that is emptied next. */
  readonly other: number;
}

export async function measureStates(
  statements: Statements,
  [other, current]: readonly [HashedTable, HashedTable],
): Promise<StateTableSizes> {
  const { rows } = await statements.query<StateTableSizes>(
    `SELECT pg_total_relation_size('${current.name}') AS current, pg_total_relation_size('${other.name}') AS other,
            pg_relation_size('${current.name}') AS "currentRows"`,
  );
  return rows[0] as StateTableSizes;
}

/** The tables, and what the role of the connection may do with them. */
export interface EmptyingRight {
  readonly tables: readonly string[];
  readonly role: string;
  readonly may: boolean;
}

/** Whether the role of the connection may empty the tables. */
export async function findEmptyingRight(statements: Statements): Promise<EmptyingRight> {
  const tables = NODE_TABLES.map(({ name }) => name);
  const { rows } = await statements.query<Omit<EmptyingRight, 'tables'>>(
    `SELECT current_user AS role, bool_and(has_table_privilege(name, 'TRUNCATE')) AS may
       FROM unnest($1::text[]) AS emptied (name)`,
    [tables],
  );
  return { tables, ...(rows[0] ?? { role: '', may: false }) };
}
