import { asBuffer, columnsOf, type SqlRow } from '@tetrad/db';
import { addressFromBytes, addressToBytes, hashFromBytes, type Address, type Hash } from '@tetrad/types';
import { privateBlock, privateContract, privateReceipt } from '../generated/tables.js';
import type { StoredPrivateContract, StoredPrivateReceipt } from '../private-rows.js';
import type { Statements } from '../statements.js';

const { number } = privateBlock.columns;
const FIND_ROOT = `
  SELECT ${columnsOf(privateBlock, ['stateRoot'])} FROM ${privateBlock.table}
   WHERE ${number} <= $1 ORDER BY ${number} DESC LIMIT 1`;

/** Root of the private state after the block; undefined before its first change. */
export async function findPrivateRoot(
  statements: Statements,
  blockNumber: number,
): Promise<Hash | undefined> {
  const { rows } = await statements.query<SqlRow<typeof privateBlock, 'stateRoot'>>({
    name: 'find-private-root',
    text: FIND_ROOT,
    values: [blockNumber],
  });
  return rows[0] && hashFromBytes(rows[0].stateRoot);
}

const RECEIPT_FIELDS = [
  'blockNumber',
  'index',
  'hash',
  'raw',
  'sender',
  'status',
  'contractAddress',
  'returnData',
  'firstLog',
  'logCount',
  'gasUsed',
  'entered',
] as const;
type ReadReceipt = SqlRow<typeof privateReceipt, (typeof RECEIPT_FIELDS)[number]>;

const SELECT_RECEIPTS = `SELECT ${columnsOf(privateReceipt, RECEIPT_FIELDS)} FROM ${privateReceipt.table}`;
const RECEIPTS = {
  'find-private-receipt': `${SELECT_RECEIPTS} WHERE ${privateReceipt.columns.hash} = $1`,
  'list-private-receipts': `
    ${SELECT_RECEIPTS} WHERE ${privateReceipt.columns.blockNumber} = $1 ORDER BY ${privateReceipt.columns.index}`,
};

/** Reads results by one of the conditions, in the order of the block. */
export async function findPrivateReceipts(
  statements: Statements,
  name: keyof typeof RECEIPTS,
  key: number | Buffer,
): Promise<StoredPrivateReceipt[]> {
  const { rows } = await statements.query<ReadReceipt>({ name, text: RECEIPTS[name], values: [key] });
  return rows.map(toReceipt);
}

function toReceipt({ contractAddress, gasUsed, entered, ...row }: ReadReceipt): StoredPrivateReceipt {
  return {
    ...row,
    hash: hashFromBytes(row.hash),
    sender: addressFromBytes(row.sender),
    status: row.status === 1 ? 1 : 0,
    ...(contractAddress === null ? {} : { contractAddress: addressFromBytes(contractAddress) }),
    effects:
      gasUsed === null || entered === null
        ? undefined
        : { gasUsed: BigInt(gasUsed), entered: addressesOf(entered) },
  };
}

/** @param bytes - 20 for each */
function addressesOf(bytes: Uint8Array): Address[] {
  const count = bytes.length / ADDRESS_BYTES;
  return Array.from({ length: count }, (_, index) =>
    addressFromBytes(bytes.subarray(index * ADDRESS_BYTES, (index + 1) * ADDRESS_BYTES)),
  );
}

const ADDRESS_BYTES = 20;

const { address, blockNumber: since } = privateContract.columns;
const CONTRACT_FIELDS = ['address', 'creation', 'privacyFlag'] as const;
const FIND_CONTRACTS = `
  SELECT DISTINCT ON (${address}) ${columnsOf(privateContract, CONTRACT_FIELDS)} FROM ${privateContract.table}
   WHERE ${address} = ANY($1::bytea[]) AND ${since} <= $2 ORDER BY ${address}, ${since} DESC`;

/** The contracts among the addresses, as they were after the block. */
export async function findPrivateContracts(
  statements: Statements,
  addresses: readonly Address[],
  blockNumber: number,
): Promise<StoredPrivateContract[]> {
  const values = [addresses.map((one) => asBuffer(addressToBytes(one))), blockNumber];
  const { rows } = await statements.query<SqlRow<typeof privateContract, (typeof CONTRACT_FIELDS)[number]>>({
    name: 'find-private-contracts',
    text: FIND_CONTRACTS,
    values,
  });
  return rows.map((row) => ({ ...row, address: addressFromBytes(row.address) }));
}
