import { asBuffer, columnsOf, type SqlRow } from '@tetrad/db';
import { block, chain, stateHistory, stateSync } from '../generated/tables.js';
import type { Statements } from '../statements.js';

const { table, columns } = stateSync;
const { id, targetBlock, cursor, isMixed, joinedBlock, filledFrom } = columns;
const FIELDS = ['targetBlock', 'cursor', 'isMixed', 'joinedBlock', 'filledFrom'] as const;

/** What is stored of taking a state. */
export type ReadStateSync = SqlRow<typeof stateSync, (typeof FIELDS)[number]>;

const FIND = `SELECT ${columnsOf(stateSync, FIELDS)} FROM ${table} WHERE ${id} = 1`;

export async function findStateSync(statements: Statements): Promise<ReadStateSync | undefined> {
  return (await statements.query<ReadStateSync>(FIND)).rows[0];
}

const NEWEST_HEADER = `SELECT max(${block.columns.number})::text AS number FROM ${block.table}`;

/** Number of the newest stored header; undefined without any. */
export async function findNewestHeader(statements: Statements): Promise<number | undefined> {
  const { rows } = await statements.query<{ readonly number: string | null }>(NEWEST_HEADER);
  const number = rows[0]?.number ?? undefined;
  return number === undefined ? undefined : Number(number);
}

const AIM = `
  INSERT INTO ${table} AS sync (${id}, ${targetBlock}, ${cursor}, ${isMixed})
  SELECT 1, $1, $2, false FROM ${chain.table} WHERE ${chain.columns.headNumber} = 0
      ON CONFLICT (${id}) DO UPDATE SET ${targetBlock} = $1, ${isMixed} = true WHERE sync.${joinedBlock} IS NULL`;

/** Whether the state of the block is taken from now on; not so when blocks were executed, or a state was taken wholly. */
export async function aimStateSync(statements: Statements, target: number): Promise<boolean> {
  return (await statements.query(AIM, [target, Buffer.alloc(32)])).rowCount === 1;
}

const MOVE = `UPDATE ${table} SET ${cursor} = $1 WHERE ${id} = 1 AND ${joinedBlock} IS NULL`;

/** Stores how far the accounts are. */
export async function moveStateSync(statements: Statements, next: Uint8Array): Promise<void> {
  await statements.query(MOVE, [asBuffer(next)]);
}

/**
 * The transaction's rows are on the disk with those of the next one that waits for it, at the latest: a server that loses power loses the last
 * ones of a joining, which are taken again. What is written later is never kept without what was written before.
 */
export async function commitLater(statements: Statements): Promise<void> {
  await statements.query('SET LOCAL synchronous_commit = off');
}

const JOIN = `
  UPDATE ${table} SET ${joinedBlock} = ${targetBlock}
   WHERE ${id} = 1 AND ${joinedBlock} IS NULL AND ${targetBlock} = $1`;
const MOVE_HEAD = `
  UPDATE ${chain.table} SET ${chain.columns.headNumber} = $1
   WHERE ${chain.columns.id} = 1 AND ${chain.columns.headNumber} = 0`;
const BEGIN_HISTORY = `
  INSERT INTO ${stateHistory.table} (${stateHistory.columns.id}, ${stateHistory.columns.oldestBlock},
                                     ${stateHistory.columns.isGathered}, ${stateHistory.columns.cursor},
                                     ${stateHistory.columns.gatheredBytes})
  VALUES (1, $1, false, '', 0)
      ON CONFLICT (${stateHistory.columns.id}) DO UPDATE SET ${stateHistory.columns.oldestBlock} = $1`;

/** Whether the chain goes on from the block, whose state is there. */
export async function endStateSync(statements: Statements, target: number): Promise<boolean> {
  for (const text of [JOIN, MOVE_HEAD])
    if ((await statements.query(text, [target])).rowCount !== 1) return false;
  await statements.query(BEGIN_HISTORY, [target]);
  return true;
}

const FILL = `
  UPDATE ${table} SET ${filledFrom} = $1
   WHERE ${id} = 1 AND coalesce(${filledFrom}, ${joinedBlock} + 1) = $2`;

/** Whether the blocks from a number on are here wholly, which were those from another on. */
export async function moveFill(statements: Statements, from: number, before: number): Promise<boolean> {
  return (await statements.query(FILL, [from, before])).rowCount === 1;
}
