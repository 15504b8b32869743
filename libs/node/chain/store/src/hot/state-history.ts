import { asBuffer, columnsOf, type SqlRow } from '@tetrad/db';
import { block, chain, privateHead, stateHistory, trieNode, trieNodeB } from '../generated/tables.js';
import { NODE_TABLES, type HashedTable } from '../state-tables.js';
import type { Statements } from '../statements.js';

const { table, columns } = stateHistory;
const { id, oldestBlock, epochBlock, isGathered, cursor, gatheredBytes } = columns;
const FIELDS = ['oldestBlock', 'epochBlock', 'isGathered', 'cursor', 'gatheredBytes'] as const;

const FIND = `
  SELECT ${columnsOf(stateHistory, FIELDS)},
         (SELECT ${block.columns.stateRoot} FROM ${block.table} WHERE ${block.columns.number} = ${epochBlock}) AS "stateRoot"
    FROM ${table}`;

/** The row, with the root of the block whose state is gathered. */
export type ReadHistory = SqlRow<typeof stateHistory, (typeof FIELDS)[number]> & {
  readonly stateRoot: SqlRow<typeof block>['stateRoot'] | null;
};

/** Undefined where the history was never bounded. */
export async function findHistory(statements: Statements): Promise<ReadHistory | undefined> {
  return (await statements.query<ReadHistory>({ name: 'find-state-history', text: FIND })).rows[0];
}

const LOCK_CHAIN = `
  SELECT ${columnsOf(chain, ['headNumber', 'stateTable'])} FROM ${chain.table} WHERE ${chain.columns.id} = 1 FOR UPDATE`;

/** Waits for a block that is being stored, and keeps the next one waiting; undefined without a chain. */
export async function lockChain(
  statements: Statements,
): Promise<SqlRow<typeof chain, 'headNumber' | 'stateTable'> | undefined> {
  return (await statements.query<SqlRow<typeof chain, 'headNumber' | 'stateTable'>>(LOCK_CHAIN)).rows[0];
}

const BEGIN = `
  INSERT INTO ${table} AS history (${id}, ${oldestBlock}, ${epochBlock}, ${isGathered}, ${cursor}, ${gatheredBytes})
  VALUES (1, 0, $1, false, '', 0)
      ON CONFLICT (${id}) DO UPDATE SET ${epochBlock} = $1, ${isGathered} = false, ${cursor} = '', ${gatheredBytes} = 0
   WHERE history.${epochBlock} IS NULL`;

/** Whether an epoch began with the block; not so while another one has not ended. */
export async function beginEpoch(statements: Statements, blockNumber: number): Promise<boolean> {
  return (await statements.query(BEGIN, [blockNumber])).rowCount === 1;
}

const SWITCH = `UPDATE ${chain.table} SET ${chain.columns.stateTable} = $1`;

/** Nodes of later blocks go to this table. */
export async function switchStateTable(statements: Statements, stateTable: 0 | 1): Promise<void> {
  await statements.query(SWITCH, [stateTable]);
}

const GATHERED = `
  UPDATE ${table} SET ${isGathered} = $1, ${cursor} = $2, ${gatheredBytes} = ${gatheredBytes} + $3
   WHERE ${id} = 1 AND ${epochBlock} IS NOT NULL`;

/**
 * Stores how far the epoch is.
 * @param next - undefined behind the last node
 * @param bytes - of the nodes that were added
 */
export async function moveCursor(
  statements: Statements,
  next: Uint8Array | undefined,
  bytes: number,
): Promise<void> {
  await statements.query(GATHERED, [next === undefined, asBuffer(next ?? new Uint8Array(0)), bytes]);
}

const END = `
  UPDATE ${table} SET ${oldestBlock} = ${epochBlock}, ${epochBlock} = NULL
   WHERE ${id} = 1 AND ${isGathered}
     AND ${epochBlock} <= (SELECT ${chain.columns.headNumber} FROM ${chain.table} WHERE ${chain.columns.id} = 1) - $1
     AND ${epochBlock} <= coalesce((SELECT ${privateHead.columns.number} FROM ${privateHead.table}),
                                   CASE WHEN $2 THEN -1 ELSE ${epochBlock} END)`;

/** Whether the epoch has ended: all is gathered, and neither the head nor private state needs older states. */
export async function endEpoch(
  statements: Statements,
  blocks: number,
  hasPrivateState: boolean,
): Promise<boolean> {
  return (await statements.query(END, [blocks, hasPrivateState])).rowCount === 1;
}

const FIND_TABLE = `SELECT ${columnsOf(chain, ['stateTable'])} FROM ${chain.table}`;

/** The table of older nodes, and that of new ones. */
export async function findNodeTables(statements: Statements): Promise<[HashedTable, HashedTable]> {
  const { rows } = await statements.query<SqlRow<typeof chain, 'stateTable'>>(FIND_TABLE);
  const [first, second] = NODE_TABLES;
  return rows[0]?.stateTable === 1 ? [first, second] : [second, first];
}

/**
 * Empties the table, once its readers have ended.
 * @throws lock_not_available when they take too long
 */
export async function emptyTable(statements: Statements, { name }: HashedTable): Promise<void> {
  await statements.query(`TRUNCATE ${name}`);
}

/** How long later statements of the transaction wait for locks. */
export async function limitLockWait(statements: Statements, waitMs: number): Promise<void> {
  await statements.query(`SET LOCAL lock_timeout = ${waitMs}`);
}

const HOLD = `LOCK TABLE ${trieNode.table}, ${trieNodeB.table}, ${table} IN ACCESS SHARE MODE`;

/** Keeps both tables from being emptied until the transaction ends: TRUNCATE would empty one for its snapshot too. */
export async function holdStates(statements: Statements): Promise<void> {
  await statements.query(HOLD);
}
