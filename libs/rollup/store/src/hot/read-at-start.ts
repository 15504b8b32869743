import { asBuffer, columnsOf, namesOf, type SqlRow } from '@tetrad/db';
import { decodePoint, encodePoint } from '@tetrad/rollup-crypto';
import { addressFromBytes, addressToBytes } from '@tetrad/types';
import { rollup } from '../generated/tables.js';
import type { RollupIdentity } from '../rollup-identity.js';
import { RollupStoreError } from '../rollup-store-error.js';
import type { Statements } from '../statements.js';

/**
 * What every start writes once and reads. By statements: a process that answers requests may use the client for nothing else, and
 * would have its memory for as long as it runs.
 */
const FIELDS = ['id', 'chainId', 'contract', 'operatorKey', 'batchSize'] as const;
const { table, columns } = rollup;
const CLAIM = `
  INSERT INTO ${table} (${namesOf(rollup, FIELDS)}) VALUES (1, $1, $2, $3, $4) ON CONFLICT DO NOTHING`;
/** A chain id is a 64-bit number of others' choosing, and is read as a text. */
const FIND = `
  SELECT ${columns.chainId}::text AS "chainId", ${columnsOf(rollup, ['contract', 'operatorKey', 'batchSize'])}
    FROM ${table} WHERE ${columns.id} = 1`;

type Row = SqlRow<typeof rollup, 'contract' | 'operatorKey' | 'batchSize'> & { readonly chainId: string };

/** Stores which rollup the rows are of; one that is there stays. */
export async function insertIdentity(to: Statements, identity: RollupIdentity): Promise<void> {
  const { chainId, contract, operatorKey, batchSize } = identity;
  await to.query(CLAIM, [
    String(chainId),
    asBuffer(addressToBytes(contract)),
    asBuffer(encodePoint(operatorKey)),
    batchSize,
  ]);
}

/** @throws RollupStoreError when the row is damaged */
export async function findIdentity(from: Statements): Promise<RollupIdentity | undefined> {
  const [row] = (await from.query<Row>(FIND)).rows;
  if (row === undefined) return undefined;
  const { chainId, contract, batchSize } = row;
  const operatorKey = decodePoint(row.operatorKey);
  if (operatorKey === undefined) throw new RollupStoreError('the rollup row of the database is damaged');
  return { chainId: BigInt(chainId), contract: addressFromBytes(contract), operatorKey, batchSize };
}
