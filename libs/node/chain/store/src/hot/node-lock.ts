import type { Statements } from '../statements.js';

/** Advisory lock of the node's database: two nodes on one database would mix their pools and race for the head. */
const NODE_LOCK = 7_370_102;

/**
 * Takes the lock for as long as the session lives, and sets how long its later locks are waited for.
 *
 * @param waitMs - how long another session may have it
 * @throws the database's error, lock_not_available when another session still has it
 */
export async function takeNodeLock(session: Statements, waitMs: number): Promise<void> {
  await session.query(`SET lock_timeout = ${waitMs}`);
  await session.query('SELECT pg_advisory_lock($1)', [NODE_LOCK]);
}

export async function releaseNodeLock(session: Statements): Promise<void> {
  await session.query('SELECT pg_advisory_unlock($1)', [NODE_LOCK]);
}
