import { columnsOf, qualified, type SqlRow } from '@tetrad/db';
import {
  pairColumns,
  toBlock,
  toPair,
  type AgreementBlock,
  type AgreementPair,
  type KeyPair,
} from '../agreement-rows.js';
import { privateAgreementBlock, privateAgreementHead, privateAgreementPair } from '../generated/tables.js';
import type { Statements } from '../statements.js';
import { CONTENT, type ReadContent } from '../agreement-columns.js';

const HEAD = `SELECT ${columnsOf(privateAgreementHead, ['number'])} FROM ${privateAgreementHead.table}`;

/** The last block that was stated; undefined before the first. */
export async function findAgreementHead(statements: Statements): Promise<number | undefined> {
  return (await statements.query<SqlRow<typeof privateAgreementHead, 'number'>>(HEAD)).rows[0]?.number;
}

const PAIR_FIELDS = [
  'since',
  'agreedBlock',
  'firstSigner',
  'lastSigner',
  'heardAt',
  'carriesMessages',
] as const;
type ReadPair = SqlRow<typeof privateAgreementPair, (typeof PAIR_FIELDS)[number]>;

const pair = qualified(privateAgreementPair, 'pair');
const row = qualified(privateAgreementBlock, 'row');

const FIND = `
  SELECT ${columnsOf(pair, PAIR_FIELDS)}, ${columnsOf(row, ['blockNumber', ...CONTENT])}
    FROM ${pair.table} AS pair LEFT JOIN ${row.table} AS row
      ON (${row.columns.own}, ${row.columns.other}, ${row.columns.blockNumber}) = ($1, $2, $3)
   WHERE (${pair.columns.own}, ${pair.columns.other}) = ($1, $2)`;

/** A pair, with its row about a block if it has one. */
export interface KnownPair {
  readonly pair: AgreementPair;
  readonly row: AgreementBlock | undefined;
}

/** Undefined for a pair that shares nothing. */
export async function findAgreement(
  statements: Statements,
  keys: KeyPair,
  block: number,
): Promise<KnownPair | undefined> {
  const { own, other } = pairColumns(keys);
  const { rows } = await statements.query<ReadPair & ReadContent & { readonly blockNumber: number | null }>({
    name: 'find-agreement',
    text: FIND,
    values: [own, other, block],
  });
  const [found] = rows;
  if (found === undefined) return undefined;
  const { blockNumber } = found;
  return {
    pair: toPair({ ...found, own, other }),
    row: blockNumber === null ? undefined : toBlock({ ...found, own, other, blockNumber }),
  };
}
