import type { Database } from '@tetrad/db';
import { showTransactions, type ShownTransaction } from './hot/show-transactions.js';
import type { SignerCalls } from './signer-client.js';

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
export interface ListedDecision extends ShownTransaction {
  readonly timeMs: number;
  readonly caller: string;
  readonly key: string;
  readonly method: string;
  readonly decision: string;
  readonly reason: string;
}

/**
 * A page of the audit log, newest first. Entries are numbered without gaps, so the numbers bound what is read; those that
 * are added meanwhile are before the first page.
 * @returns before — of the next page; undefined when the log begins on this one
 */
export async function listDecisions(
  { pool, client }: Pick<Database, 'pool'> & { readonly client: SignerCalls },
  { before, account, decision, limit }: DecisionQuery,
): Promise<{ readonly rows: readonly ListedDecision[]; readonly before: number | undefined }> {
  const end = before ?? (await newest(client)) + 1;
  const start = Math.max(1, end - WINDOW);
  const found = await client.auditEntry.findMany({
    where: {
      sequence: { gte: start, lt: end },
      // An address has no characters that mean others in a pattern.
      ...(account === undefined ? {} : { key: { equals: account, mode: 'insensitive' } }),
      ...(decision === undefined ? {} : { decision }),
    },
    select: {
      sequence: true,
      timeMs: true,
      caller: true,
      key: true,
      method: true,
      decision: true,
      reason: true,
    },
    orderBy: { sequence: 'desc' },
    take: limit,
  });
  const entries = found.map((row) => ({
    ...row,
    sequence: Number(row.sequence),
    timeMs: Number(row.timeMs),
  }));
  const last = entries.length === limit ? (entries.at(-1)?.sequence ?? start) : start;
  return { rows: await withTransactions(pool, entries), before: last > 1 ? last : undefined };
}

async function newest({ auditHead }: SignerCalls): Promise<number> {
  const head = await auditHead.findUnique({ where: { id: 1 }, select: { sequence: true } });
  return Number(head?.sequence ?? 0n);
}

/** Entries are never changed, so that what is read of them later belongs to them. */
async function withTransactions(
  pool: Database['pool'],
  entries: readonly Omit<ListedDecision, Exclude<keyof ShownTransaction, 'sequence'>>[],
): Promise<ListedDecision[]> {
  if (entries.length === 0) return [];
  const shown = await showTransactions(
    pool,
    entries.map(({ sequence }) => sequence),
  );
  const bySequence = new Map(shown.map((one) => [one.sequence, one]));
  return entries.flatMap((entry) => {
    const transaction = bySequence.get(entry.sequence);
    return transaction === undefined ? [] : [{ ...entry, ...transaction }];
  });
}
