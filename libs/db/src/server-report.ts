import type pg from 'pg';
import { formatAddress, type ServerAddress } from './database-url.js';

/** What a server says of itself on a new connection. */
export interface ServerReport {
  /** Whether it replays the log of another server, or refuses writes for another reason. */
  readonly isReadOnly: boolean;
  /** Rises by one when a standby is promoted; a former primary that returns still has the number of before. */
  readonly timeline: number;
  /** Equal for a primary and its standbys. */
  readonly systemId: string;
  /** Distinguishes one server under two names from two servers. */
  readonly startedAt: string;
}

/** The answer of one server, or why there is none. */
export type ServerAnswer = { readonly server: ServerAddress } & (
  { readonly report: ServerReport } | { readonly failure: string }
);

/** What this process has seen of the cluster. */
export interface KnownCluster {
  readonly systemId: string;
  /** Highest timeline. */
  readonly timeline: number;
}

/** The log position of a primary names its timeline; a standby cannot be asked for that, but for its last restart point. */
const REPORT = `
  SELECT pg_is_in_recovery() OR current_setting('transaction_read_only') = 'on' AS "isReadOnly",
         CASE WHEN pg_is_in_recovery() THEN (SELECT timeline_id FROM pg_control_checkpoint())
              ELSE ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::int END AS timeline,
         (SELECT system_identifier::text FROM pg_control_system()) AS "systemId",
         pg_postmaster_start_time()::text AS "startedAt"`;

export async function askForReport(
  client: Pick<pg.ClientBase, 'query'>,
  timeoutMs: number,
): Promise<ServerReport> {
  const { rows } = await client.query<ServerReport>({
    text: REPORT,
    query_timeout: timeoutMs,
  } as pg.QueryConfig);
  const [row] = rows;
  if (row === undefined) throw new Error('the server does not describe itself');
  return row;
}

/** The server to use, or why none may be used. */
export type Choice =
  | { readonly server: ServerAddress; readonly known: KnownCluster }
  | { readonly refusal: string; readonly mayPass: boolean };

/**
 * Chooses the primary among servers: the one of the highest timeline, which no other server and no earlier answer
 * exceeds. A former primary that accepts writes again is thereby not used, and its clients are not divided.
 */
export function choosePrimary(answers: readonly ServerAnswer[], known: KnownCluster | undefined): Choice {
  const reports = answers.flatMap((answer) => ('report' in answer ? [answer] : []));
  const ids = new Set([
    ...(known === undefined ? [] : [known.systemId]),
    ...reports.map(({ report }) => report.systemId),
  ]);
  if (ids.size > 1)
    return refuse('the servers are not of one cluster (their system identifiers differ)', answers, false);
  const newest = Math.max(known?.timeline ?? 0, ...reports.map(({ report }) => report.timeline));
  const primaries = reports.filter(({ report }) => !report.isReadOnly);
  const [primary, ...others] = primaries.filter(({ report }) => report.timeline === newest);
  if (primary === undefined) return refuse('no server accepts writes', answers, reports.length > 0, newest);
  if (others.some(({ report }) => report.startedAt !== primary.report.startedAt))
    return refuse(`several servers accept writes on timeline ${newest}; stop all but one`, answers, false);
  return { server: primary.server, known: { systemId: primary.report.systemId, timeline: newest } };
}

function refuse(reason: string, answers: readonly ServerAnswer[], mayPass: boolean, newest = 0): Choice {
  return { refusal: `${reason}: ${answers.map((answer) => describe(answer, newest)).join('; ')}`, mayPass };
}

function describe(answer: ServerAnswer, newest: number): string {
  const address = formatAddress(answer.server);
  if (!('report' in answer)) return `${address}: ${answer.failure}`;
  const { isReadOnly, timeline, systemId } = answer.report;
  if (isReadOnly) return `${address} is a standby`;
  if (timeline < newest)
    return `${address} is a former primary, on timeline ${timeline} while the cluster is on ${newest}`;
  return `${address} accepts writes (system ${systemId}, timeline ${timeline})`;
}
