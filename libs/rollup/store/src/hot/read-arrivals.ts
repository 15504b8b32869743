import { qualified } from '@tetrad/db';
import { accountQuota, operation } from '../generated/tables.js';
import { jsonRecord, type JsonRow } from '../json-record.js';
import type { Statements } from '../statements.js';

/** What the rows say of operations that are about to be stored. */
export interface SeenArrivals {
  /** Places of those that are pending or executed. */
  readonly known: ReadonlySet<number>;
  /** Of those that were rejected. */
  readonly again: ReadonlySet<number>;
  /** Of those whose nonce another pending operation of the account has. */
  readonly replacing: ReadonlySet<number>;
  /** What accounts have had in the present window; one that never had anything is missing. */
  readonly used: Map<number, number>;
  /** Turns of the last operations of these accounts. */
  readonly turns: Map<number, number>;
  /** The turn that is served next, or would be. */
  readonly present: number;
  /** The present window, by the clock of the database, in ms since the epoch; the same throughout without a window. */
  readonly windowStartMs: number;
  readonly windowEndsInMs: number;
}

/** The row of all accounts together. */
export const ALL_ACCOUNTS = 0;

const arrival = jsonRecord(operation, { hash: 'bytea', accountId: 'int', nonce: 'bigint' });
const stored = qualified(operation, 'stored').columns;
const other = qualified(operation, 'other').columns;
const quota = accountQuota.columns;
const next = operation.columns;

/** The turn that is served next, or would be. */
export const PRESENT_TURN = `
         coalesce((SELECT ${next.turn} FROM ${operation.table}
                    WHERE ${next.status} = 'PENDING' AND NOT ${next.waiting} AND ${next.accountId} IS NOT NULL
                    ORDER BY ${next.turn} LIMIT 1),
                  (SELECT ${quota.turn} + 1 FROM ${accountQuota.table} WHERE ${quota.accountId} = ${ALL_ACCOUNTS}), 0)`;

/**
 * A window that begins later than it should, since a clock went back or windows got longer, goes on. The turn of who has
 * nothing waiting is the present one: what it did before does not count.
 *
 * Rows are looked up one by one: a join would keep the plan for an empty table, which reads all of it, until that is analyzed.
 */
const READ = `
  WITH asked AS MATERIALIZED (
    SELECT * FROM json_to_recordset($1::json) AS new (position int, ${arrival.definition})
  ), clock AS MATERIALIZED (
    SELECT ms, floor(ms / $2::float8) * $2::float8 AS start
      FROM (SELECT extract(epoch FROM clock_timestamp())::float8 * 1000 AS ms) AS present
  ), seen AS MATERIALIZED (
    SELECT position,
           (SELECT ${stored.status} FROM ${operation.table} AS stored
             WHERE ${stored.hash} = decode(asked."hash", 'hex')) AS status,
           (SELECT true FROM ${operation.table} AS other
             WHERE ${other.accountId} = asked."accountId" AND ${other.nonce} = asked."nonce"
               AND ${other.status} = 'PENDING' AND ${other.hash} <> decode(asked."hash", 'hex') LIMIT 1) AS replaces
      FROM asked
  ), quotas AS MATERIALIZED (
    SELECT id, (SELECT json_build_array(
                         CASE WHEN ${quota.windowStart} >= to_timestamp(clock.start / 1000) THEN ${quota.accepted} ELSE 0 END,
                         ${quota.turn})
                  FROM ${accountQuota.table} WHERE ${quota.accountId} = id) AS numbers
      FROM clock, (SELECT DISTINCT "accountId" AS id FROM asked WHERE "accountId" IS NOT NULL) AS accounts
  )
  SELECT (SELECT array_agg(position) FROM seen WHERE status <> 'REJECTED') AS known,
         (SELECT array_agg(position) FROM seen WHERE status = 'REJECTED') AS again,
         (SELECT array_agg(position) FROM seen WHERE replaces) AS replacing,
         (SELECT json_object_agg(id, numbers) FROM quotas WHERE numbers IS NOT NULL) AS had,
         ${PRESENT_TURN} AS present,
         clock.start AS "windowStartMs", clock.start + $2::float8 - clock.ms AS "windowEndsInMs"
    FROM clock`;

interface Answer {
  readonly known: readonly number[] | null;
  readonly again: readonly number[] | null;
  readonly replacing: readonly number[] | null;
  readonly had: Readonly<Record<string, readonly [used: number, turn: number]>> | null;
  readonly present: number;
  readonly windowStartMs: number;
  readonly windowEndsInMs: number;
}

/**
 * Looks at the rows of operations that come together, and at the quotas of their accounts.
 *
 * @param statements - of the transaction that stores them, under the lock of acceptance
 * @param arrivals - in their places
 * @param windowMs - of the quota
 */
export async function readArrivals(
  statements: Statements,
  arrivals: readonly JsonRow<typeof operation, 'hash' | 'accountId' | 'nonce'>[],
  windowMs: number,
): Promise<SeenArrivals> {
  const asked = arrivals.map(({ hash, accountId, nonce }, position) => ({
    position,
    hash,
    accountId,
    nonce,
  }));
  const { rows } = await statements.query<Answer>({
    name: 'read-arrivals',
    text: READ,
    values: [JSON.stringify(asked), windowMs],
  });
  const [{ known, again, replacing, had, windowEndsInMs, ...answer }] = rows as [Answer];
  const accounts = Object.entries(had ?? {});
  return {
    known: new Set(known),
    again: new Set(again),
    replacing: new Set(replacing),
    used: new Map(accounts.map(([id, [used]]) => [Number(id), used])),
    turns: new Map(accounts.map(([id, [, turn]]) => [Number(id), turn])),
    ...answer,
    windowEndsInMs: Math.ceil(windowEndsInMs),
  };
}
