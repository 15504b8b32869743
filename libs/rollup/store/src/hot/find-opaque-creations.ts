import { asBuffer, columnsOf, type SqlRow } from '@tetrad/db';
import { encodeWord, encodeWords, operationKinds } from '@tetrad/rollup-crypto';
import { opaquePlace } from '../generated/tables.js';
import { parsePlace, type OpaquePlace, type Registration } from '../opaque-rows.js';
import type { Statements } from '../statements.js';

/** Accounts with the same text or factor are of one holder, who can make any number of them. */
const SAME_TEXT = 16;

const FIELDS = [
  'batchHeight',
  'batchIndex',
  'kind',
  'accountId',
  'tokenId',
  'amount',
  'recipient',
  'ciphertext',
  'leaf',
  'orderHash',
  'blindingFactor',
] as const;

const { table, columns } = opaquePlace;
const FIND = `
  SELECT ${columnsOf(opaquePlace, FIELDS)} FROM unnest($1::bytea[], $2::bytea[]) AS asked (text, factor)
   CROSS JOIN LATERAL (
         SELECT * FROM ${table}
          WHERE (${columns.ciphertext} = asked.text OR ${columns.blindingFactor} = asked.factor)
            AND ${columns.kind} = ${operationKinds.createAccount}
          ORDER BY ${columns.batchHeight}, ${columns.batchIndex} LIMIT ${SAME_TEXT}) AS place`;

/** Creations of accounts in batches of others with the text or the blinding factor of a registration; of several the first ones. */
export async function findOpaqueCreations(
  statements: Statements,
  registrations: readonly Registration[],
): Promise<OpaquePlace[]> {
  if (registrations.length === 0) return [];
  const { rows } = await statements.query<SqlRow<typeof opaquePlace>>({
    name: 'opaque-creations',
    text: FIND,
    values: [
      registrations.map(({ words }) => asBuffer(encodeWords(words))),
      registrations.map(({ blindingFactor }) => asBuffer(encodeWord(blindingFactor))),
    ],
  });
  return rows.map(parsePlace);
}
