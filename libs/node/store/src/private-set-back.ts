import { asBuffer } from '@tetrad/db';
import { hashToBytes } from '@tetrad/types';
import type pg from 'pg';
import type { PrivateHead } from './private-rows.js';

/** Rows of a block's private transactions; trie nodes, code and preimages are found by their hashes and stay. */
const BY_BLOCK = [
  ...['private_receipt', 'private_log', 'private_contract'].map((name) => ({ name, column: 'block_number' })),
  { name: 'private_block', column: 'number' },
  { name: 'private_extension', column: 'started_block' },
];

/** Removes what came of private transactions after the head. In: head — undefined for all of it */
export async function removePrivateState(
  client: pg.ClientBase,
  head: PrivateHead | undefined,
): Promise<void> {
  const last = head?.number ?? -1;
  for (const { name, column } of BY_BLOCK)
    await client.query(`DELETE FROM ${name} WHERE ${column} > $1`, [last]);
  for (const column of ['approved_block', 'finished_block'])
    await client.query(`UPDATE private_extension SET ${column} = NULL WHERE ${column} > $1`, [last]);
  if (head === undefined) await client.query('DELETE FROM private_head');
  else
    await client.query('UPDATE private_head SET number = $1, hash = $2', [
      last,
      asBuffer(hashToBytes(head.hash)),
    ]);
}
