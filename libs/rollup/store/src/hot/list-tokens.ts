import { columnsOf, type SqlRow } from '@tetrad/db';
import { addressFromBytes } from '@tetrad/types';
import type { Token } from '../chain-events.js';
import { token } from '../generated/tables.js';
import { integerOf } from '../read-row.js';
import type { Statements } from '../statements.js';

const FIELDS = ['tokenId', 'address', 'unit'] as const;
const LIST = `SELECT ${columnsOf(token, FIELDS)} FROM ${token.table} ORDER BY ${token.columns.tokenId}`;

/** All tokens of the contract, which are few. */
export async function listTokens(from: Statements): Promise<Token[]> {
  const { rows } = await from.query<SqlRow<typeof token, (typeof FIELDS)[number]>>({
    name: 'tokens',
    text: LIST,
  });
  return rows.map(({ tokenId, address, unit }) => ({
    tokenId,
    address: addressFromBytes(address),
    unit: integerOf(unit),
  }));
}
