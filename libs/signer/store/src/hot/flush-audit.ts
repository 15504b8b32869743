import type pg from 'pg';

const FLUSH = `SELECT pg_logical_emit_message(true, 'tetrad', '')`;

/** A commit that waits for the disk, and for every commit before it; the message says nothing. */
export async function flushAudit(pool: pg.Pool): Promise<void> {
  await pool.query({ name: 'flush-audit-log', text: FLUSH });
}
