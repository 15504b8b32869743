import { pairColumns, type KeyPair } from '../agreement-rows.js';
import { privateAgreementBlock, privateAgreementPair } from '../generated/tables.js';
import type { Statements } from '../statements.js';

const pairs = privateAgreementPair;
const blocks = privateAgreementBlock;
const { own, other } = pairs.columns;
const { nextAt, sends, state, blockNumber, ownStatement } = blocks.columns;
const IS_OPEN = `${state} IN ('pending', 'comparing')`;
const OF_PAIR = `(${own}, ${other}) = ($1, $2)`;

const HEAR = `
  UPDATE ${pairs.table}
     SET ${pairs.columns.firstSigner} = coalesce(${pairs.columns.firstSigner}, $3), ${pairs.columns.lastSigner} = $3,
         ${pairs.columns.heardAt} = $4, ${pairs.columns.carriesMessages} = true
   WHERE ${OF_PAIR}`;

/**
 * Notes that a statement of the other party has come.
 * @param heard.signer - node key, 128 hex digits
 */
export async function hearPair(
  statements: Statements,
  pair: KeyPair,
  heard: { readonly signer: string; readonly atMs: number },
): Promise<void> {
  const values = [...keysOf(pair), Buffer.from(heard.signer, 'hex'), new Date(heard.atMs)];
  await statements.query({ name: 'hear-pair', text: HEAR, values });
}

const PUT_OFF = `
  WITH later AS (UPDATE ${blocks.table} SET ${nextAt} = $3 WHERE ${OF_PAIR} AND ${nextAt} < $3)
  UPDATE ${pairs.table} SET ${pairs.columns.carriesMessages} = $4 WHERE ${OF_PAIR}`;

/** Puts off what is to be sent to a party, and notes whether its manager carries messages. */
export async function putOffPair(
  statements: Statements,
  pair: KeyPair,
  until: { readonly ms: number; readonly carriesMessages: boolean },
): Promise<void> {
  const values = [...keysOf(pair), new Date(until.ms), until.carriesMessages];
  await statements.query({ name: 'put-off-pair', text: PUT_OFF, values });
}

/** Rows that are sent again by then anyway. */
const SOON_MS = 5_000;

const HASTEN = `
  UPDATE ${blocks.table} SET ${nextAt} = $3
   WHERE ${OF_PAIR} AND ${blockNumber} IN (
     SELECT ${blockNumber} FROM ${blocks.table}
      WHERE ${OF_PAIR} AND ${IS_OPEN} AND ${ownStatement} IS NOT NULL AND ${nextAt} > $4
      ORDER BY ${sends}, ${blockNumber} LIMIT $5)`;

/** Has rows of which the party has yet to say something sent at once; those that were sent least often first. */
export async function hastenPair(
  statements: Statements,
  pair: KeyPair,
  { nowMs, max }: { readonly nowMs: number; readonly max: number },
): Promise<void> {
  const values = [...keysOf(pair), new Date(nowMs), new Date(nowMs + SOON_MS), max];
  await statements.query({ name: 'hasten-pair', text: HASTEN, values });
}

const AWAITED = `
  SELECT count(*) AS awaited FROM ${blocks.table} AS row JOIN ${pairs.table} AS pair
      ON (row.${blocks.columns.own}, row.${blocks.columns.other}) = (pair.${own}, pair.${other})
   WHERE row.${IS_OPEN} AND pair.${pairs.columns.heardAt} >= $1`;

/** Pending blocks of pairs of which the other party has stated something since. */
export async function countAwaited(statements: Statements, heardSinceMs: number): Promise<number> {
  const query = { name: 'count-awaited', text: AWAITED, values: [new Date(heardSinceMs)] };
  return (await statements.query<{ readonly awaited: number }>(query)).rows[0]?.awaited ?? 0;
}

function keysOf(pair: KeyPair): [Uint8Array, Uint8Array] {
  const keys = pairColumns(pair);
  return [keys.own, keys.other];
}
