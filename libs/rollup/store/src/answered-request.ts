import { qualified } from '@tetrad/db';
import { operationKinds } from '@tetrad/rollup-crypto';
import { opaquePlace, operation } from './generated/tables.js';

const made = qualified(operation).columns;
const place = qualified(opaquePlace).columns;
const { createMoneyOrder, redeemMoneyOrder, outboundTransfer, setConsent } = operationKinds;

/** What the holder of an account signs, as in Rollup.sol; a credit is not signed, and answers nothing. */
const ANSWERING = [createMoneyOrder, redeemMoneyOrder, outboundTransfer, setConsent].join(', ');

/** Names of columns in a statement: of a request, and of its account as a batch left it. */
interface AnsweredNames {
  readonly request: { readonly accountId: string; readonly nonce: string; readonly height: string };
  readonly version: { readonly nonce: string; readonly height: string };
}

/**
 * The condition that the account of a request has done an operation up to a version of it, whichever one. Each raises
 * the nonce, of which a request has the next; where the nonce is not known, the operations have rows, or places that
 * cannot be read.
 *
 * @param names - of the columns of request and version
 * @returns SQL, which is true or false
 */
export function isAnswered({ request, version }: AnsweredNames): string {
  return `
   CASE WHEN ${version.nonce} IS NOT NULL THEN ${version.nonce} >= ${request.nonce}
        ELSE EXISTS (SELECT FROM ${operation.table}
                      WHERE ${made.accountId} = ${request.accountId} AND ${made.kind} IN (${ANSWERING})
                        AND ${made.nonce} >= ${request.nonce} AND ${made.status} = 'EXECUTED'
                        AND ${made.batchHeight} <= ${version.height})
          OR EXISTS (SELECT FROM ${opaquePlace.table}
                      WHERE ${place.accountId} = ${request.accountId} AND ${place.kind} IN (${ANSWERING})
                        AND ${place.batchHeight} > ${request.height} AND ${place.batchHeight} <= ${version.height}) END`;
}
