import type { Logger } from '@tetrad/types';
import type pg from 'pg';

/** SQLSTATE disk_full and io_error. */
const NO_SPACE = new Set(['53100', '58030']);

/** What a server without space answers to writes, and one that its operator, or a cloud for lack of space, made read-only. */
const REFUSED = new Set([...NO_SPACE, '25006']);

/** Rows of a temporary file of more than a megabyte, beside the tables: a few small updates fit into pages with room. */
const SPILLED_ROWS = 100_000;

/** How the driver's connections report an error of the server. */
interface ServerError {
  readonly code?: string;
  readonly message?: string;
}

/** Notices that a database refuses writes although it answers; each begin and end is a log line. */
export class WriteRefusals {
  private refused: string | undefined;

  constructor(
    private readonly pool: pg.Pool,
    private readonly logger: Pick<Logger, 'warn' | 'info'> | undefined,
  ) {
    pool.on('connect', (client) => {
      client.connection.on('errorMessage', (error: ServerError) => this.note(error));
    });
  }

  /** The text of the server; undefined while it takes writes, as far as they show. */
  get reason(): string | undefined {
    return this.refused;
  }

  /**
   * After a refusal, asks whether there is space again. A write that succeeds does not show it, as nearly all others may fail.
   * @throws as the database, when it does not answer
   */
  async recheck(): Promise<void> {
    if (this.refused === undefined) return;
    const reason = await presentRefusal(this.pool);
    if (reason === undefined) this.logger?.info('database takes writes again');
    this.refused = reason;
  }

  private note({ code, message = '' }: ServerError): void {
    if (code === undefined || !REFUSED.has(code)) return;
    if (this.refused === undefined) this.logger?.warn('database refuses writes', { error: message });
    this.refused = message;
  }
}

/** The question needs no right and leaves nothing behind. */
async function presentRefusal(pool: pg.Pool): Promise<string | undefined> {
  const client = await pool.connect();
  let broken: Error | undefined;
  try {
    await client.query('BEGIN');
    const { rows } = await client.query<{ mode: string }>(
      `SELECT current_setting('transaction_read_only') AS mode, set_config('work_mem', '64kB', true)`,
    );
    if (rows[0]?.mode === 'on') return 'the server is read-only';
    await client.query(`SELECT count(*) FROM generate_series(1, ${SPILLED_ROWS}) AS spilled (row)`);
    return undefined;
  } catch (error) {
    // Other refusals, such as a limit of temporary files, say nothing of writes; the next write will.
    const { code = '', message } = error as ServerError;
    return NO_SPACE.has(code) ? message : undefined;
  } finally {
    broken = await client.query('ROLLBACK').then(
      () => undefined,
      (error: Error) => error,
    );
    client.release(broken);
  }
}
