import { requestedOperation } from '../generated/tables.js';
import type { RequestLoad, TokenProgress } from '../requests.js';
import type { Statements } from '../statements.js';

/** Progress in a second when one unit is held, as Payments.sol has it. */
const PROGRESS = 2n ** 72n;

const { table, columns } = requestedOperation;

/** When a measured request is overdue, of `token` with its progress; in: the time of that progress as $2, the time-out as $3. */
export const OVERDUE_AT = `greatest(${columns.since} + $3,
             $2 + ceil(greatest(${columns.progress} - token.reached, 0) * token.held / ${PROGRESS}))`;

/** Of one that is not measured nothing is known: `greatest` would ignore that, and say that it is overdue. */
const LOAD = `
  SELECT count(*) AS open,
         count(*) FILTER (WHERE ${columns.failure} IS NOT NULL) AS failing,
         min(${OVERDUE_AT})
           FILTER (WHERE ${columns.progress} IS NOT NULL)::float8 AS "overdueAt"
    FROM ${table}
    LEFT JOIN json_to_recordset($1::json) AS token (id int, reached numeric, held numeric)
      ON token.id = ${columns.tokenId}
   WHERE NOT ${columns.answered}`;

/**
 * @param progress - of tokens
 * @param at.atSeconds - Unix time in seconds
 * @param at.timeoutSeconds - the contract's time-out
 */
export async function readRequestLoad(
  from: Statements,
  progress: readonly TokenProgress[],
  { atSeconds, timeoutSeconds }: { readonly atSeconds: number; readonly timeoutSeconds: number },
): Promise<RequestLoad> {
  const { rows } = await from.query<{ open: number; failing: number; overdueAt: number | null }>({
    name: 'request-load',
    text: LOAD,
    values: [tokensOf(progress), atSeconds, timeoutSeconds],
  });
  const { open = 0, failing = 0, overdueAt } = rows[0] ?? {};
  return { open, failing, overdueAt: overdueAt ?? undefined };
}

/** The progress of tokens as a parameter of a statement. */
export function tokensOf(progress: readonly TokenProgress[]): string {
  const tokens = progress.map(({ tokenId: id, progress: reached, held }) => ({
    id,
    reached: String(reached),
    held: String(held),
  }));
  return JSON.stringify(tokens);
}
