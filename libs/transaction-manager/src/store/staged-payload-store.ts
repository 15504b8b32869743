import { asBuffer, type Database } from '@tetrad/db';

/** Which staged payload has to be stored before which other one, by their sequences. */
export interface StagedOrder {
  readonly sequence: number;
  /** Sequences of those before it. */
  readonly after: readonly number[];
}

/** Rows of payloads that came in a recovery before those they refer to. */
export class StagedPayloadStore {
  constructor(private readonly database: Database) {}

  /** Once, however often it comes. */
  async add(payload: {
    readonly hash: Uint8Array;
    readonly encoded: Uint8Array;
    readonly affected: readonly Uint8Array[];
  }): Promise<void> {
    await this.database.pool.query({
      name: 'stage-payload',
      text: `INSERT INTO staged_payload (hash, encoded, affected) SELECT $1, $2, $3
              WHERE NOT EXISTS (SELECT FROM staged_payload WHERE hash = $1 AND encoded = $2)`,
      values: [asBuffer(payload.hash), asBuffer(payload.encoded), payload.affected.map(asBuffer)],
    });
  }

  /** All of them, and which of the others each refers to. */
  async order(): Promise<StagedOrder[]> {
    const { rows } = await this.database.pool.query<StagedOrder>(
      `SELECT later.sequence, coalesce(array_agg(earlier.sequence::float8)
                FILTER (WHERE earlier.sequence IS NOT NULL), '{}') AS after
         FROM staged_payload AS later LEFT JOIN staged_payload AS earlier ON earlier.hash = ANY(later.affected)
        GROUP BY later.sequence ORDER BY later.sequence`,
    );
    return rows;
  }

  async find(sequence: number): Promise<Uint8Array | undefined> {
    const { rows } = await this.database.pool.query<{ encoded: Buffer }>(
      'SELECT encoded FROM staged_payload WHERE sequence = $1',
      [sequence],
    );
    return rows[0]?.encoded;
  }

  async remove(sequence: number): Promise<void> {
    await this.database.pool.query('DELETE FROM staged_payload WHERE sequence = $1', [sequence]);
  }
}
