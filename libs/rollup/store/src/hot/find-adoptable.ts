import { asBuffer, columnsOf, type SqlRow } from '@tetrad/db';
import { encodeCiphertext, encodeWord, operationKinds } from '@tetrad/rollup-crypto';
import { addressToBytes } from '@tetrad/types';
import type { AdoptablePlace } from '../adoption-rows.js';
import { operation } from '../generated/tables.js';
import type { StoredOperation } from '../operation-rows.js';
import { OPERATION_FIELDS, parseOperation } from '../parse-operation.js';
import type { Statements } from '../statements.js';

type Row = SqlRow<typeof operation, (typeof OPERATION_FIELDS)[number]>;

const { table, columns } = operation;
const SELECT = `SELECT ${columnsOf(operation, OPERATION_FIELDS)} FROM ${table}`;

/**
 * Those who lost a nonce here may be the ones that the chain has; what was executed is in a batch before. A holder can make any
 * number with the same text: the first ones are looked at. Who registers with two operators makes two texts, which hold the
 * same blinding factor.
 */
const FIRST = `ORDER BY ${columns.sequence} LIMIT 16 FOR UPDATE`;
const CREATION = `
  ${SELECT}
   WHERE ${columns.kind} = ${operationKinds.createAccount} AND ${columns.status} = 'PENDING' AND ${columns.accountId} IS NULL
     AND (${columns.ciphertext} = $1 OR ${columns.blindingFactor} = $2) ${FIRST}`;
const OTHER = `
  ${SELECT}
   WHERE ${columns.accountId} = $1 AND ${columns.kind} = $2 AND ${columns.nonce} = $3 AND ${columns.status} <> 'EXECUTED'
     AND ${columns.ciphertext} IS NOT DISTINCT FROM $4
     AND ($5::bytea IS NULL
          OR (${columns.toAddress} = $5 AND ${columns.tokenId} = $6 AND ${columns.amount} = $7)) ${FIRST}`;

/** The operations of these rows that the place may hold, locked until the transaction ends. */
export async function findAdoptable(
  statements: Statements,
  place: AdoptablePlace,
): Promise<StoredOperation[]> {
  const { kind, accountId, nonce, ciphertext, blindingFactor, transfer } = place;
  const text = ciphertext === undefined ? null : asBuffer(encodeCiphertext(ciphertext));
  const { rows } =
    kind === 'createAccount'
      ? await statements.query<Row>(CREATION, [
          text,
          blindingFactor === undefined ? null : asBuffer(encodeWord(blindingFactor)),
        ])
      : await statements.query<Row>(OTHER, [
          accountId,
          operationKinds[kind],
          nonce,
          text,
          transfer === undefined ? null : asBuffer(addressToBytes(transfer.toEthereumAddress)),
          transfer?.tokenId ?? null,
          transfer?.amount.toString() ?? null,
        ]);
  return rows.map(parseOperation);
}
