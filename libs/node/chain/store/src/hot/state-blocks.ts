import { byteaArray, integerArray, namesOf } from '@tetrad/db';
import {
  contractColumns,
  pairColumns,
  type AgreementBlock,
  type AgreementContract,
  type KeyPair,
} from '../agreement-rows.js';
import {
  privateAgreementBlock,
  privateAgreementContract,
  privateAgreementHead,
  privateAgreementPair,
} from '../generated/tables.js';
import type { Statements } from '../statements.js';
import { ROW_VALUES, putRows, rowValues } from '../agreement-columns.js';

const head = privateAgreementHead.columns;
const pair = privateAgreementPair.columns;
const contract = privateAgreementContract.columns;
const block = privateAgreementBlock.columns;
const ROW_KEY = namesOf(privateAgreementBlock, ['blockNumber', 'own', 'other']);
/** Parameters before those of rows. */
const FIRST = 11;
const MAX = FIRST + ROW_VALUES;

const STATE = `
  WITH moved AS (
         INSERT INTO ${privateAgreementHead.table} (${head.id}, ${head.number}) VALUES (1, $1)
             ON CONFLICT (${head.id}) DO UPDATE SET ${head.number} = excluded.${head.number}),
       gone AS (
         DELETE FROM ${privateAgreementBlock.table}
          WHERE (${ROW_KEY}) IN (SELECT * FROM unnest($2::bigint[], $3::bytea[], $4::bytea[]))),
       entered AS (
         INSERT INTO ${privateAgreementContract.table} AS before
                (${namesOf(privateAgreementContract, ['contract', 'own', 'other', 'blockNumber', 'transaction', 'isShared'])})
         SELECT * FROM unnest($5::bytea[], $6::bytea[], $7::bytea[], $8::bigint[], $9::bytea[], $10::boolean[])
             ON CONFLICT (${namesOf(privateAgreementContract, ['contract', 'own', 'other'])})
             DO UPDATE SET ${contract.blockNumber} = excluded.${contract.blockNumber},
                           ${contract.transaction} = excluded.${contract.transaction},
                           ${contract.isShared} = before.${contract.isShared} OR excluded.${contract.isShared}),
       stated AS (
         SELECT own, other, min(number) AS since
           FROM unnest($${FIRST}::bytea[], $${FIRST + 1}::bytea[], $${FIRST + 2}::bigint[]) AS rows (own, other, number)
          GROUP BY own, other),
       begun AS (
         INSERT INTO ${privateAgreementPair.table} (${namesOf(privateAgreementPair, ['own', 'other', 'since'])})
         SELECT own, other, since FROM stated ON CONFLICT (${pair.own}, ${pair.other}) DO NOTHING),
       stored AS (${putRows(FIRST)})
  SELECT own, other FROM stated
   WHERE (SELECT count(*) FROM (SELECT FROM ${privateAgreementBlock.table} AS row
                                 WHERE (row.${block.own}, row.${block.other}) = (stated.own, stated.other)
                                   AND row.${block.state} IN ('pending', 'comparing') LIMIT $${MAX}) AS pending)
         = $${MAX}`;

/** What is stated of followed blocks. */
export interface StatedBlocks {
  /** The last of the blocks. */
  readonly number: number;
  readonly rows: readonly AgreementBlock[];
  /** Each once for a pair: its newest transaction. */
  readonly contracts: readonly AgreementContract[];
  /** Rows that are dropped, and not stored anew. */
  readonly dropped: readonly (KeyPair & Pick<AgreementBlock, 'block'>)[];
}

/** A pair as its columns. */
export interface PairBytes {
  readonly own: Uint8Array;
  readonly other: Uint8Array;
}

/**
 * Moves the head, and stores what is stated of blocks. The first row of a pair begins it, and a contract that was shared stays so.
 * @param max - pending rows of a pair
 * @returns the pairs that had so many before
 */
export async function stateBlocks(
  statements: Statements,
  { number, rows, contracts, dropped }: StatedBlocks,
  max: number,
): Promise<PairBytes[]> {
  const gone = dropped.map(pairColumns);
  const entered = contracts.map(contractColumns);
  const values = [
    number,
    integerArray(
      8,
      dropped.map((row) => row.block),
    ),
    byteaArray(gone.map(({ own }) => own)),
    byteaArray(gone.map(({ other }) => other)),
    byteaArray(entered.map((row) => row.contract)),
    byteaArray(entered.map(({ own }) => own)),
    byteaArray(entered.map(({ other }) => other)),
    integerArray(
      8,
      entered.map(({ blockNumber }) => blockNumber),
    ),
    byteaArray(entered.map(({ transaction }) => transaction)),
    entered.map(({ isShared }) => isShared),
    ...rowValues(rows),
    max,
  ];
  return (await statements.query<PairBytes>({ name: 'state-blocks', text: STATE, values })).rows;
}
