import type pg from 'pg';

/** A session's name, also behind a pooler: numbers of processes are used again, and other servers have the same ones. */
const NAME = `concat(pid, ' ', extract(epoch FROM backend_start))`;

/** SQL: a value, the name of the session that runs it. */
export const OWN_SESSION = `(SELECT ${NAME} FROM pg_stat_get_activity(pg_backend_pid()))`;

/**
 * Of the sessions named, those that a statement keeps busy, or that finished one just now, so that its answer may be on
 * its way. One that waits to send more of an answer than the network takes is not at work. A server that does not track
 * activities says `disabled`: that may be anything.
 */
const AT_WORK = `
  SELECT ${NAME} AS session FROM pg_stat_activity
   WHERE ${NAME} = ANY($1::text[])
     AND (coalesce(state, '') NOT LIKE 'idle%' AND wait_event IS DISTINCT FROM 'ClientWrite'
          OR state_change > clock_timestamp() - interval '5 seconds')`;

const END = `
  SELECT pg_terminate_backend(pid) FROM pg_stat_activity
   WHERE ${NAME} = ANY($1::text[]) AND usename = current_user`;

/** For the answer of a server to either. Units: ms */
const ANSWER_MS = 10_000;

/**
 * Which of the sessions the server works for.
 * @throws as the driver, also when there is no answer within ten seconds
 */
export async function sessionsAtWork(
  client: pg.ClientBase,
  sessions: readonly string[],
): Promise<ReadonlySet<string>> {
  const { rows } = await client.query<{ session: string }>(within(AT_WORK, sessions));
  return new Set(rows.map(({ session }) => session));
}

/**
 * Ends sessions: what they had begun is rolled back, and what is still on its way to them is not done any more.
 * @throws as the driver, also when there is no answer within ten seconds
 */
export async function endSessions(client: pg.ClientBase, sessions: readonly string[]): Promise<void> {
  await client.query(within(END, sessions));
}

function within(text: string, sessions: readonly string[]): pg.QueryConfig {
  return { text, values: [sessions], query_timeout: ANSWER_MS } as pg.QueryConfig;
}
