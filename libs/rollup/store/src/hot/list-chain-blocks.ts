import { columnsOf, type SqlRow } from '@tetrad/db';
import { hashFromBytes } from '@tetrad/types';
import type { ChainBlock } from '../chain-events.js';
import { chainBlock } from '../generated/tables.js';
import type { Statements } from '../statements.js';

const FIELDS = ['number', 'hash'] as const;
const LIST = `
  SELECT ${columnsOf(chainBlock, FIELDS)} FROM ${chainBlock.table} ORDER BY ${chainBlock.columns.number} DESC LIMIT $1`;

/** The latest blocks that were read, newest first; the first is the cursor. */
export async function listChainBlocks(from: Statements, limit: number): Promise<ChainBlock[]> {
  const { rows } = await from.query<SqlRow<typeof chainBlock, (typeof FIELDS)[number]>>({
    name: 'chain-blocks',
    text: LIST,
    values: [limit],
  });
  return rows.map(({ number, hash }) => ({ number, hash: hashFromBytes(hash) }));
}
