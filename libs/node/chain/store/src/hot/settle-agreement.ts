import { byteaArray, integerArray, namesOf } from '@tetrad/db';
import { pairColumns, type AgreementBlock, type KeyPair } from '../agreement-rows.js';
import { privateAgreementBlock, privateAgreementPair } from '../generated/tables.js';
import type { Statements } from '../statements.js';

const { table, columns } = privateAgreementPair;
const KEY = namesOf(privateAgreementBlock, ['blockNumber', 'own', 'other']);

const SETTLE = `
  WITH settled AS (SELECT * FROM unnest($1::bigint[], $2::bytea[], $3::bytea[]) AS settled (block, own, other)),
       gone AS (DELETE FROM ${privateAgreementBlock.table} WHERE (${KEY}) IN (SELECT block, own, other FROM settled))
  UPDATE ${table} AS pair SET ${columns.agreedBlock} = newest.block
    FROM (SELECT own, other, max(block) AS block FROM settled GROUP BY own, other) AS newest
   WHERE (pair.${columns.own}, pair.${columns.other}) = (newest.own, newest.other)
     AND (pair.${columns.agreedBlock} IS NULL OR pair.${columns.agreedBlock} < newest.block)`;

/** Forgets the rows of blocks on which both agree: the pair keeps the last such block. */
export async function settleAgreement(
  statements: Statements,
  rows: readonly (KeyPair & Pick<AgreementBlock, 'block'>)[],
): Promise<void> {
  if (rows.length === 0) return;
  const pairs = rows.map(pairColumns);
  const values = [
    integerArray(
      8,
      rows.map(({ block }) => block),
    ),
    byteaArray(pairs.map(({ own }) => own)),
    byteaArray(pairs.map(({ other }) => other)),
  ];
  await statements.query({ name: 'settle-agreement', text: SETTLE, values });
}
