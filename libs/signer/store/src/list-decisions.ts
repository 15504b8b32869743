import type { Database } from '@tetrad/db';

/** Entries of the log that one page looks through: few are of the account or outcome that is asked for. */
const WINDOW = 10_000;

export interface DecisionQuery {
  /** Entries before this sequence number; from the newest on when absent. */
  readonly before?: number | undefined;
  /** In lower case. */
  readonly account?: string | undefined;
  readonly decision?: string | undefined;
  /** Entries of the page. */
  readonly limit: number;
}

/** An entry of the audit log without what was signed; numbers of its transaction in decimal. */
export interface DecisionRow {
  readonly sequence: number;
  readonly timeMs: number;
  readonly caller: string;
  readonly key: string;
  readonly method: string;
  readonly decision: string;
  readonly reason: string;
  readonly chainId: string | null;
  readonly nonce: string | null;
  readonly to: string | null;
  readonly value: string | null;
  readonly isPrivate: boolean;
}

/**
 * A page of the audit log, newest first. Entries are numbered without gaps, so the numbers bound what is read; those that
 * are added meanwhile are before the first page.
 *
 * Out: before — of the next page; undefined when the log begins on this one
 */
export async function listDecisions(
  { pool }: Pick<Database, 'pool'>,
  { before, account, decision, limit }: DecisionQuery,
): Promise<{ readonly rows: readonly DecisionRow[]; readonly before: number | undefined }> {
  const end = before ?? (await newest(pool)) + 1;
  const start = Math.max(1, end - WINDOW);
  const { rows } = await pool.query<DecisionRow>({
    name: 'list-decisions',
    text: LIST,
    values: [start, end, account ?? null, decision ?? null, limit],
  });
  const last = rows.length === limit ? (rows.at(-1)?.sequence ?? start) : start;
  return { rows, before: last > 1 ? last : undefined };
}

async function newest(pool: Database['pool']): Promise<number> {
  const { rows } = await pool.query<{ sequence: number }>({
    name: 'newest-decision',
    text: 'SELECT sequence FROM audit_head WHERE id = 1',
  });
  return rows[0]?.sequence ?? 0;
}

/** The JSON of a transaction, which holds its data, is read of the entries of the page alone, and stays in the database. */
const LIST = `
  SELECT found.sequence, found.time_ms AS "timeMs", found.caller, found.key, found.method, found.decision, found.reason,
         shown."chainId", shown.nonce, shown."to", shown.value, shown."privateFrom" IS NOT NULL AS "isPrivate"
    FROM (SELECT * FROM audit_entry
           WHERE sequence >= $1 AND sequence < $2
             AND ($3::text IS NULL OR lower(key) = $3) AND ($4::text IS NULL OR decision = $4)
           ORDER BY sequence DESC LIMIT $5) found
   CROSS JOIN LATERAL json_to_record(coalesce(found.transaction, '{}')::json)
           AS shown ("chainId" text, nonce text, "to" text, value text, "privateFrom" text)
   ORDER BY found.sequence DESC`;
