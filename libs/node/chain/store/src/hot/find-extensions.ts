import { asBuffer, columnsOf, type SqlRow } from '@tetrad/db';
import { addressFromBytes, addressToBytes, type Address } from '@tetrad/types';
import { EXTENSION_FIELDS, MAX_ACTIVE, toActive, type ActiveExtension } from '../extension-rows.js';
import { privateExtension } from '../generated/tables.js';
import type { Statements } from '../statements.js';

const { table, columns } = privateExtension;
const { contract, finishedBlock, isInitiator, isRecipient, startedBlock, management } = columns;
const SELECT = `SELECT ${columnsOf(privateExtension, EXTENSION_FIELDS)} FROM ${table} WHERE ${finishedBlock} IS NULL`;
const ORDER = `ORDER BY ${startedBlock}, ${management} LIMIT ${MAX_ACTIVE}`;

/** A node with private state asks both after every block. */
const LISTS = {
  'list-active-extensions': `${SELECT} AND (${isInitiator} OR ${isRecipient}) ${ORDER}`,
  'list-known-extensions': `${SELECT} ${ORDER}`,
};

/** Active extensions, those of this node or all that it knows, the oldest first. */
export async function listExtensions(
  statements: Statements,
  name: keyof typeof LISTS,
): Promise<ActiveExtension[]> {
  const { rows } = await statements.query<SqlRow<typeof privateExtension, (typeof EXTENSION_FIELDS)[number]>>(
    { name, text: LISTS[name] },
  );
  return rows.map(toActive);
}

const FIND_CONTRACT = `
  SELECT ${contract} AS contract FROM ${table}
   WHERE ${management} = $1 AND ${startedBlock} <= $2 AND (${finishedBlock} IS NULL OR ${finishedBlock} > $2)`;

/** The contract of an extension that was active after the block; undefined without one. */
export async function findExtendedContract(
  statements: Statements,
  extension: Address,
  blockNumber: number,
): Promise<Address | undefined> {
  const values = [asBuffer(addressToBytes(extension)), blockNumber];
  const { rows } = await statements.query<SqlRow<typeof privateExtension, 'contract'>>({
    name: 'find-extended-contract',
    text: FIND_CONTRACT,
    values,
  });
  return rows[0] && addressFromBytes(rows[0].contract);
}
