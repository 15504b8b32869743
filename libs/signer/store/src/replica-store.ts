import type { Database } from '@tetrad/db';

/** Rows of dead replicas are kept this long, for people. */
const KEEP_DEAD = '1 hour';

/** Says to the others that this replica lives. */
export class ReplicaStore {
  constructor(
    private readonly database: Database,
    private readonly replica: string,
  ) {}

  /** Lives for the time given from now on, by the database's clock. */
  async stayAlive(ttlMs: number): Promise<void> {
    await this.database.pool.query({
      name: 'replica-alive',
      text: `INSERT INTO replica (id, alive_until) VALUES ($1, now() + make_interval(secs => $2::float8 / 1000))
             ON CONFLICT (id) DO UPDATE SET alive_until = excluded.alive_until`,
      values: [this.replica, ttlMs],
    });
  }

  /** The others may take over at once. */
  async leave(): Promise<void> {
    await this.database.pool.query('UPDATE replica SET alive_until = now() WHERE id = $1', [this.replica]);
  }

  async pruneDead(): Promise<void> {
    await this.database.pool.query(`DELETE FROM replica WHERE alive_until < now() - interval '${KEEP_DEAD}'`);
  }
}
