import { byteaArray, namesOf } from '@tetrad/db';
import { hashToBytes } from '@tetrad/types';
import type { ChainBlock } from '../chain-events.js';
import {
  chainBlock,
  deposit,
  frozenRollup,
  outboundRequest,
  requestedOperation,
  token,
} from '../generated/tables.js';
import type { Statements } from '../statements.js';

const { number } = chainBlock.columns;
const CURSOR = `(SELECT max(${number}) FROM ${chainBlock.table})`;
const FORGET_EVENTS = [
  `DELETE FROM ${token.table} WHERE ${token.columns.blockNumber} > ${CURSOR}`,
  `DELETE FROM ${deposit.table}
    WHERE ${deposit.columns.blockNumber} > ${CURSOR} AND ${deposit.columns.batchHeight} IS NULL`,
  `DELETE FROM ${outboundRequest.table} WHERE ${outboundRequest.columns.blockNumber} > ${CURSOR}`,
  `DELETE FROM ${requestedOperation.table} WHERE ${requestedOperation.columns.blockNumber} > ${CURSOR}`,
  `DELETE FROM ${frozenRollup.table} WHERE ${frozenRollup.columns.blockNumber} > ${CURSOR}`,
];

/** Forgets what blocks behind the cursor said: they may be replaced by now, and are read again. */
export async function forgetBeyondCursor(statements: Statements): Promise<void> {
  for (const text of FORGET_EVENTS) await statements.query(text);
}

const ADD = `
  INSERT INTO ${chainBlock.table} (${namesOf(chainBlock, ['number', 'hash'])})
  SELECT * FROM unnest($1::bigint[], $2::bytea[]) ON CONFLICT DO NOTHING`;
const FORGET = `DELETE FROM ${chainBlock.table} WHERE ${number} < $1`;

/** Blocks that are kept behind the cursor, to find where a chain forked. */
const KEPT_BLOCKS = 1_000;

/** Adds blocks that were read; those that are there stay as they are, and old ones are forgotten. */
export async function advanceCursor(statements: Statements, blocks: readonly ChainBlock[]): Promise<void> {
  const numbers = blocks.map((block) => block.number);
  await statements.query({
    name: 'add-chain-blocks',
    text: ADD,
    values: [numbers, byteaArray(blocks.map(({ hash }) => hashToBytes(hash)))],
  });
  const values = [Math.max(...numbers) - KEPT_BLOCKS];
  await statements.query({ name: 'forget-chain-blocks', text: FORGET, values });
}
