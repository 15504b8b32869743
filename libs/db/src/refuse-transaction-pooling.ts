import { OperatorError } from '@tetrad/types';
import type pg from 'pg';

/** A pooler between service and server gives every transaction another session. */
export class TransactionPoolingError extends OperatorError {
  override readonly name = 'TransactionPoolingError';
  override readonly code = 'TRANSACTION_POOLING';
}

const REASON =
  'a connection pooler between this service and PostgreSQL gives every transaction another session (in PgBouncer: ' +
  'pool_mode=transaction or statement); the lock that keeps a database to one node, settings and prepared statements belong ' +
  'to a session, so use pool_mode=session, or connect to the server itself';

const ROUNDS = 3;

/**
 * Finds out whether sessions stay with their connections. A direct connection is recognized by one statement: the process
 * id that the server sent when it was opened. A pooler makes these ids up. Behind one, two connections are compared, in
 * turns: in session pooling each has a server process of its own.
 * @throws TransactionPoolingError; the pool's error when it gets no second connection
 */
export async function refuseTransactionPooling(pool: pg.Pool): Promise<void> {
  const first = await pool.connect();
  try {
    const pid = await serverProcess(first);
    if (pid === (first as pg.PoolClient & { readonly processID: number | null }).processID) return;
    const second = await pool.connect();
    try {
      for (let round = 0; round < ROUNDS; round += 1)
        if ((await serverProcess(second)) === pid || (await serverProcess(first)) !== pid)
          throw new TransactionPoolingError(REASON);
    } finally {
      second.release();
    }
  } finally {
    first.release();
  }
}

async function serverProcess(client: pg.PoolClient): Promise<number | undefined> {
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  return rows[0]?.pid;
}
