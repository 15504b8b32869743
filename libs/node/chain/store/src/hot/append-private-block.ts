import { asBuffer, namesOf } from '@tetrad/db';
import { addressToBytes, hashToBytes, type Hash } from '@tetrad/types';
import { privateBlock, privateContract, privateReceipt } from '../generated/tables.js';
import type { StoredPrivateContract, StoredPrivateReceipt } from '../private-rows.js';
import type { Statements } from '../statements.js';

const APPEND_BLOCK = `
  INSERT INTO ${privateBlock.table} (${namesOf(privateBlock, ['number', 'stateRoot'])}) VALUES ($1, $2)`;

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
const APPEND_RECEIPTS = `
  INSERT INTO ${privateReceipt.table} (${namesOf(privateReceipt, RECEIPT_FIELDS)})
  SELECT * FROM unnest($1::bigint[], $2::int[], $3::bytea[], $4::bytea[], $5::bytea[], $6::smallint[],
                       $7::bytea[], $8::bytea[], $9::int[], $10::int[], $11::bigint[], $12::bytea[])`;

const CONTRACT_FIELDS = ['address', 'blockNumber', 'creation', 'privacyFlag'] as const;
const APPEND_CONTRACTS = `
  INSERT INTO ${privateContract.table} (${namesOf(privateContract, CONTRACT_FIELDS)})
  SELECT address, $1, creation, flag
    FROM unnest($2::bytea[], $3::bytea[], $4::smallint[]) AS row (address, creation, flag)`;

/** Adds the root of private state after the block. */
export async function appendPrivateRoot(
  statements: Statements,
  blockNumber: number,
  root: Hash,
): Promise<void> {
  const values = [blockNumber, asBuffer(hashToBytes(root))];
  await statements.query({ name: 'append-private-block', text: APPEND_BLOCK, values });
}

export async function appendPrivateReceipts(
  statements: Statements,
  rows: readonly StoredPrivateReceipt[],
): Promise<void> {
  await statements.query({
    name: 'append-private-receipts',
    text: APPEND_RECEIPTS,
    values: [
      rows.map((row) => row.blockNumber),
      rows.map((row) => row.index),
      rows.map((row) => asBuffer(hashToBytes(row.hash))),
      rows.map((row) => asBuffer(row.raw)),
      rows.map((row) => asBuffer(addressToBytes(row.sender))),
      rows.map((row) => row.status),
      rows.map(({ contractAddress }) =>
        contractAddress === undefined ? null : asBuffer(addressToBytes(contractAddress)),
      ),
      rows.map((row) => asBuffer(row.returnData)),
      rows.map((row) => row.firstLog),
      rows.map((row) => row.logCount),
      rows.map(({ effects }) => effects?.gasUsed ?? null),
      rows.map(({ effects }) => effects && asBuffer(Buffer.concat(effects.entered.map(addressToBytes)))),
    ],
  });
}

export async function appendPrivateContracts(
  statements: Statements,
  blockNumber: number,
  rows: readonly StoredPrivateContract[],
): Promise<void> {
  await statements.query({
    name: 'append-private-contracts',
    text: APPEND_CONTRACTS,
    values: [
      blockNumber,
      rows.map(({ address }) => asBuffer(addressToBytes(address))),
      rows.map(({ creation }) => asBuffer(creation)),
      rows.map(({ privacyFlag }) => privacyFlag),
    ],
  });
}
