import { columnsOf, type SqlRow } from '@tetrad/db';
import type { FrozenRollup } from '../chain-events.js';
import { frozenRollup } from '../generated/tables.js';
import type { Statements } from '../statements.js';

const FIELDS = ['height', 'blockNumber'] as const;
const FIND = `SELECT ${columnsOf(frozenRollup, FIELDS)} FROM ${frozenRollup.table}`;

/** @returns undefined while the contract is served */
export async function findFrozen(from: Statements): Promise<FrozenRollup | undefined> {
  const { rows } = await from.query<SqlRow<typeof frozenRollup, (typeof FIELDS)[number]>>({
    name: 'frozen-rollup',
    text: FIND,
  });
  return rows[0];
}
