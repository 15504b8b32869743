import { appendHashed } from './hot/append-hashed.js';
import { appendHeaders } from './hot/append-headers.js';
import { appendLogs } from './hot/append-logs.js';
import { appendTransactions } from './hot/append-transactions.js';
import { leavePool } from './hot/leave-pool.js';
import { startFlatState, writeFlatChanges, writeFlatRows } from './hot/write-flat-state.js';
import { mergeFlatWrites } from './flat-overlay.js';
import type { BlockWrite } from './ledger-rows.js';
import type { StateTables } from './state-tables.js';
import type pg from 'pg';

/**
 * Stores consecutive blocks, each one set at a time, in the transaction of the caller.
 *
 * A few statements over arrays: a block is thousands of rows (docs/adr/0121).
 *
 * @param tables - of the state
 */
export async function writeBlocks(
  statements: pg.ClientBase,
  writes: readonly BlockWrite[],
  tables: StateTables,
): Promise<void> {
  await appendHeaders(
    statements,
    writes.map(({ block }) => block),
  );
  const transactions = writes.flatMap((write) => write.transactions);
  if (transactions.length > 0) {
    await appendTransactions(statements, transactions);
    await leavePool(
      statements,
      transactions.map(({ hash }) => hash),
    );
  }
  const logs = writes.flatMap((write) => write.logs);
  if (logs.length > 0) await appendLogs(statements, 'public', logs);
  await writeState(statements, tables, {
    nodes: writes.flatMap(({ nodes }) => nodes),
    codes: writes.flatMap(({ codes }) => codes),
    preimages: writes.flatMap(({ preimages }) => preimages),
  });
  await writeFlat(statements, writes);
  for (const { block, joined } of writes)
    for (const rows of joined) await rows.write(statements, block.number);
}

async function writeFlat(statements: pg.ClientBase, writes: readonly BlockWrite[]): Promise<void> {
  const merged = mergeFlatWrites(writes.flatMap(({ flat }) => (flat === undefined ? [] : [flat])));
  if (merged === undefined) return;
  if (writes[0]?.block.number === 0) {
    await startFlatState(statements, merged.stateRoot);
    await writeFlatRows(statements, merged);
  } else await writeFlatChanges(statements, merged);
}

/** Writes the changes from one state to the next. */
export async function writeState(
  statements: pg.ClientBase,
  tables: StateTables,
  { nodes, codes, preimages }: Pick<BlockWrite, 'nodes' | 'codes' | 'preimages'>,
): Promise<void> {
  if (nodes.length > 0) await appendHashed(statements, tables.nodes, nodes);
  if (codes.length > 0) await appendHashed(statements, tables.codes, codes);
  if (preimages.length > 0) await appendHashed(statements, tables.preimages, preimages);
}
