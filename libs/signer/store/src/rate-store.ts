import { asBuffer, CommitGroup, type Database } from '@tetrad/db';
import { countRequests } from './hot/count-requests.js';
import { readTime } from './hot/read-time.js';
import type { SignerCalls } from './signer-client.js';

export interface RateRequest {
  /** 32 bytes that name what is counted. */
  readonly bucket: Uint8Array;
  /** Requests that one minute admits. */
  readonly limit: number;
}

const MINUTE_MS = 60_000;

/** Counts requests by minute for all replicas together. */
export class RateStore {
  private readonly counts: CommitGroup<RateRequest, boolean>;

  constructor(
    private readonly database: Pick<Database, 'pool'>,
    private readonly client: SignerCalls,
  ) {
    this.counts = new CommitGroup((group) => this.count(group));
  }

  /** Counts one request in the present minute; false when the minute is full. */
  admit(request: RateRequest): Promise<boolean> {
    return this.counts.add(request);
  }

  async prune(): Promise<void> {
    const minute = Math.floor((await readTime(this.database.pool)).getTime() / MINUTE_MS);
    await this.client.rateWindow.deleteMany({ where: { minute: { lt: minute - 1 } } });
  }

  private async count(group: readonly RateRequest[]): Promise<boolean[]> {
    const wanted = new Map<string, number>();
    for (const { bucket } of group) wanted.set(nameOf(bucket), (wanted.get(nameOf(bucket)) ?? 0) + 1);
    // In one order everywhere, so that replicas wait for each other and never in a circle.
    const ordered = [...wanted].sort(([one], [other]) => (one < other ? -1 : 1));
    const counted = await countRequests(
      this.database.pool,
      ordered.map(([name, count]) => [Buffer.from(name, 'latin1'), count]),
    );
    const next = new Map(
      counted.map(({ bucket, count }) => [nameOf(bucket), count - (wanted.get(nameOf(bucket)) ?? 0)]),
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
