import { asBuffer, CommitGroup, type Database } from '@tetrad/db';

export interface RateRequest {
  /** 32 bytes that name what is counted. */
  readonly bucket: Uint8Array;
  /** Requests that one minute admits. */
  readonly limit: number;
}

interface CountedRow {
  readonly bucket: Buffer;
  readonly count: number;
}

/** Counts requests by minute for all replicas together. */
export class RateStore {
  private readonly counts: CommitGroup<RateRequest, boolean>;

  constructor(private readonly database: Database) {
    this.counts = new CommitGroup((group) => this.count(group));
  }

  /** Counts one request in the present minute; false when the minute is full. */
  admit(request: RateRequest): Promise<boolean> {
    return this.counts.add(request);
  }

  async prune(): Promise<void> {
    await this.database.pool.query(
      'DELETE FROM rate_window WHERE minute < floor(extract(epoch FROM now()) / 60)::bigint - 1',
    );
  }

  private async count(group: readonly RateRequest[]): Promise<boolean[]> {
    const wanted = new Map<string, number>();
    for (const { bucket } of group) wanted.set(nameOf(bucket), (wanted.get(nameOf(bucket)) ?? 0) + 1);
    // In one order everywhere, so that replicas wait for each other and never in a circle.
    const names = [...wanted.keys()].sort();
    const { rows } = await this.database.pool.query<CountedRow>({
      name: 'count-requests',
      text: `INSERT INTO rate_window (bucket, minute, count)
             SELECT bucket, floor(extract(epoch FROM now()) / 60)::bigint, wanted
               FROM unnest($1::bytea[], $2::int[]) AS asked (bucket, wanted)
             ON CONFLICT (bucket, minute) DO UPDATE SET count = rate_window.count + excluded.count
             RETURNING bucket, count`,
      values: [names.map((name) => Buffer.from(name, 'latin1')), names.map((name) => wanted.get(name))],
    });
    const next = new Map(
      rows.map(({ bucket, count }) => [nameOf(bucket), count - (wanted.get(nameOf(bucket)) ?? 0)]),
    );
    return group.map(({ bucket, limit }) => {
      const position = (next.get(nameOf(bucket)) ?? 0) + 1;
      next.set(nameOf(bucket), position);
      return position <= limit;
    });
  }
}

function nameOf(bucket: Uint8Array): string {
  return asBuffer(bucket).toString('latin1');
}
