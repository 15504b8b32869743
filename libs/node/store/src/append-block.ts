import { byteaArray } from '@tetrad/db';
import { addressToBytes, hashToBytes } from '@tetrad/types';
import type pg from 'pg';
import type { HashedTable, StateTables } from './batched-lookup.js';
import { mergeFlatWrites } from './flat-overlay.js';
import { startFlatState, writeFlatChanges } from './flat-state-rows.js';
import type { BlockRow, BlockWrite, HashedBytes, LogRow, TransactionRow } from './ledger-rows.js';

/**
 * Statements that store consecutive blocks, each one set at a time; they run in the transaction of the caller.
 *
 * A few statements over arrays: a block is thousands of rows (docs/adr/0121).
 *
 * In: tables — of the state
 */
export async function writeBlocks(
  client: pg.ClientBase,
  writes: readonly BlockWrite[],
  tables: StateTables,
): Promise<void> {
  await writeHeaders(
    client,
    writes.map(({ block }) => block),
  );
  await writeTransactions(
    client,
    writes.flatMap(({ transactions }) => transactions),
  );
  await writeLogs(
    client,
    'log',
    writes.flatMap(({ logs }) => logs),
  );
  await writeState(client, tables, {
    nodes: writes.flatMap(({ nodes }) => nodes),
    codes: writes.flatMap(({ codes }) => codes),
    preimages: writes.flatMap(({ preimages }) => preimages),
  });
  await writeFlat(client, writes);
  for (const { block, joined } of writes) for (const rows of joined) await rows.write(client, block.number);
}

async function writeFlat(client: pg.ClientBase, writes: readonly BlockWrite[]): Promise<void> {
  const merged = mergeFlatWrites(writes.flatMap(({ flat }) => (flat === undefined ? [] : [flat])));
  if (merged === undefined) return;
  if (writes[0]?.block.number === 0) await startFlatState(client, merged);
  else await writeFlatChanges(client, merged);
}

async function writeHeaders(client: pg.ClientBase, blocks: readonly BlockRow[]): Promise<void> {
  await client.query({
    name: 'append-blocks',
    text: `INSERT INTO block (number, hash, state_root, timestamp, header, total_transactions)
           SELECT * FROM unnest($1::bigint[], $2::bytea[], $3::bytea[], $4::bigint[], $5::bytea[], $6::bigint[])`,
    values: [
      blocks.map(({ number }) => number),
      byteaArray(blocks.map(({ hash }) => hashToBytes(hash))),
      byteaArray(blocks.map(({ stateRoot }) => hashToBytes(stateRoot))),
      blocks.map(({ timestamp }) => timestamp.toString()),
      byteaArray(blocks.map(({ header }) => header)),
      blocks.map(({ totalTransactions }) => totalTransactions),
    ],
  });
}

async function writeTransactions(client: pg.ClientBase, rows: readonly TransactionRow[]): Promise<void> {
  if (rows.length === 0) return;
  await client.query({
    name: 'append-transactions',
    text: `INSERT INTO transaction (block_number, index, hash, sender, raw, status, gas_used, cumulative_gas_used,
                                    contract_address, first_log, log_count, revert_reason)
           SELECT * FROM unnest($1::bigint[], $2::int[], $3::bytea[], $4::bytea[], $5::bytea[], $6::smallint[],
                                $7::bigint[], $8::bigint[], $9::bytea[], $10::int[], $11::int[], $12::bytea[])`,
    values: [
      rows.map((row) => row.blockNumber),
      rows.map((row) => row.index),
      byteaArray(rows.map((row) => hashToBytes(row.hash))),
      byteaArray(rows.map((row) => addressToBytes(row.sender))),
      byteaArray(rows.map((row) => row.raw)),
      rows.map((row) => row.status),
      rows.map((row) => row.gasUsed.toString()),
      rows.map((row) => row.cumulativeGasUsed.toString()),
      byteaArray(rows.map(({ contractAddress: own }) => own && addressToBytes(own))),
      rows.map((row) => row.firstLog),
      rows.map((row) => row.logCount),
      byteaArray(rows.map(({ revertReason }) => revertReason)),
    ],
  });
  // Mined transactions no longer need the pool's journal.
  await client.query({
    name: 'leave-pool',
    text: 'DELETE FROM pool_transaction WHERE hash = ANY($1::bytea[])',
    values: [byteaArray(rows.map((row) => hashToBytes(row.hash)))],
  });
}

export async function writeLogs(
  client: pg.ClientBase,
  table: 'log' | 'private_log',
  rows: readonly LogRow[],
): Promise<void> {
  if (rows.length === 0) return;
  const topic = (position: number) =>
    byteaArray(
      rows.map(({ topics }) => {
        const hash = topics[position];
        return hash && hashToBytes(hash);
      }),
    );
  await client.query({
    name: `append-${table}s`,
    text: `INSERT INTO ${table} (block_number, index, transaction_index, address, topic0, topic1, topic2, topic3, data)
           SELECT * FROM unnest($1::bigint[], $2::int[], $3::int[], $4::bytea[], $5::bytea[], $6::bytea[],
                                $7::bytea[], $8::bytea[], $9::bytea[])`,
    values: [
      rows.map((row) => row.blockNumber),
      rows.map((row) => row.index),
      rows.map((row) => row.transactionIndex),
      byteaArray(rows.map((row) => addressToBytes(row.address))),
      topic(0),
      topic(1),
      topic(2),
      topic(3),
      byteaArray(rows.map((row) => row.data)),
    ],
  });
}

/** Writes the changes from one state to the next. */
export async function writeState(
  client: pg.ClientBase,
  tables: StateTables,
  { nodes, codes, preimages }: Pick<BlockWrite, 'nodes' | 'codes' | 'preimages'>,
): Promise<void> {
  await writeHashed(client, tables.nodes, nodes);
  await writeHashed(client, tables.codes, codes);
  await writeHashed(client, tables.preimages, preimages);
}

/** Rows keyed by the hash of their content: an existing one is identical. */
async function writeHashed(
  client: pg.ClientBase,
  { name, column }: HashedTable,
  rows: readonly HashedBytes[],
): Promise<void> {
  if (rows.length === 0) return;
  await client.query({
    name: `append-${name}`,
    text: `INSERT INTO ${name} (hash, ${column}) SELECT * FROM unnest($1::bytea[], $2::bytea[])
           ON CONFLICT (hash) DO NOTHING`,
    values: [byteaArray(rows.map(({ hash }) => hash)), byteaArray(rows.map(({ bytes }) => bytes))],
  });
}
