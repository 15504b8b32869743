import { asBuffer, type Table } from '@tetrad/db';
import { hashToBytes, type Hash } from '@tetrad/types';
import * as tables from './generated/tables.js';

/** A stored block. */
interface TakenHead {
  readonly number: number;
  readonly hash: Hash;
}

/** A table in the form of a backup: `BackupTable` of libs/db. */
interface TakenTable {
  readonly name: string;
  readonly where?: string;
  readonly values?: Readonly<Record<string, string>>;
}

/** The table of what the validator key of the node signed last; a restore leaves it empty (docs/adr/0142). */
export const SIGNED_RECORDS = tables.consensusRecord.table;

/** Tables of repairs, from which private state is rebuilt as well. */
const REPAIRS = [tables.privateRepair, tables.privateRepairNotice, tables.privateRepairPermit];

/** Whether it holds private state, which can be rebuilt from chain, payloads and repairs. */
export function isPrivateTable(name: string): boolean {
  return name.startsWith('private_') && !REPAIRS.some(({ table }) => table === name);
}

/**
 * Every table of the node as of the block as its head, in the order in which rows refer to each other. States are found
 * by their roots, so those of later blocks may stay. Private state may be some blocks behind, when it did not change up
 * to the block.
 */
export function nodeTables(head: TakenHead): TakenTable[] {
  return [...chainTables(head), ...privateTables(head)];
}

function chainTables({ number }: TakenHead): TakenTable[] {
  const { chain, validatorVote } = tables;
  return [
    { name: chain.table, values: { [chain.columns.headNumber]: `${number}::bigint` } },
    upTo(tables.block, 'number', number),
    upTo(tables.transaction, 'blockNumber', number),
    upTo(tables.log, 'blockNumber', number),
    ...whole([tables.trieNode, tables.trieNodeB, tables.stateHistory, tables.code, tables.preimage]),
    // A state that is being taken begins again.
    { name: tables.stateSyncPart.table, where: 'false' },
    { name: tables.stateSync.table, where: `${tables.stateSync.columns.joinedBlock} IS NOT NULL` },
    // They are rebuilt at the next start: the state of the newest block from the tries, the index by address from blocks.
    ...whole([
      tables.flatState,
      tables.flatStateHead,
      tables.addressRow,
      tables.addressEntries,
      tables.addressIndexHead,
    ]).map(({ name }) => ({ name, where: 'false' })),
    upTo(tables.validatorSet, 'fromBlock', number),
    {
      ...upTo(validatorVote, 'block', number),
      values: marksUpTo([validatorVote.columns.untilBlock], number),
    },
    ...whole([tables.validatorCandidate, tables.consensusRecord, tables.poolTransaction]),
  ];
}

function privateTables({ number, hash }: TakenHead): TakenTable[] {
  const { privateExtension, privateHead } = tables;
  const { approvedBlock, finishedBlock } = privateExtension.columns;
  return [
    {
      name: privateHead.table,
      values: {
        [privateHead.columns.number]: `${number}::bigint`,
        [privateHead.columns.hash]: `'\\x${asBuffer(hashToBytes(hash)).toString('hex')}'::bytea`,
      },
    },
    upTo(tables.privateBlock, 'number', number),
    upTo(tables.privateReceipt, 'blockNumber', number),
    upTo(tables.privateLog, 'blockNumber', number),
    upTo(tables.privateContract, 'blockNumber', number),
    {
      ...upTo(privateExtension, 'startedBlock', number),
      values: marksUpTo([approvedBlock, finishedBlock], number),
    },
    ...whole([tables.privateTrieNode, tables.privateCode, tables.privatePreimage]),
    ...agreementTables(number),
    upTo(tables.privateRepair, 'blockNumber', number),
    ...whole([tables.privateRepairNotice, tables.privateRepairPermit]),
  ];
}

/** What parties stated of later blocks is stated again once the blocks are followed again. */
function agreementTables(number: number): TakenTable[] {
  const { privateAgreementHead: head, privateAgreementPair, privateAgreementContract } = tables;
  return [
    { name: head.table, values: { [head.columns.number]: `LEAST(${head.columns.number}, ${number})` } },
    ...whole([privateAgreementPair, privateAgreementContract]),
    upTo(tables.privateAgreementBlock, 'blockNumber', number),
  ];
}

/** The rows of blocks up to the number. */
function upTo<Model extends object>(
  { table, columns }: Table<Model>,
  field: keyof Model & string,
  number: number,
): TakenTable {
  return { name: table, where: `${columns[field]} <= ${number}` };
}

/** Columns that name a later block, as they were at the number: empty. */
function marksUpTo(columns: readonly string[], number: number): Record<string, string> {
  return Object.fromEntries(
    columns.map((column) => [column, `CASE WHEN ${column} <= ${number} THEN ${column} END`]),
  );
}

function whole(all: readonly Pick<Table, 'table'>[]): TakenTable[] {
  return all.map(({ table }) => ({ name: table }));
}
