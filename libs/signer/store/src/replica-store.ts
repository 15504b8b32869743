import type { Database } from '@tetrad/db';
import { readTime } from './hot/read-time.js';
import type { SignerCalls } from './signer-client.js';

/** Rows of dead replicas are kept this long, for people. */
const KEEP_DEAD_MS = 3_600_000;

/** Says to the others that this replica lives, by the clock of the database: what is read of it before is the safe side. */
export class ReplicaStore {
  constructor(
    private readonly database: Pick<Database, 'pool'>,
    private readonly options: { readonly client: SignerCalls; readonly replica: string },
  ) {}

  /** Lives for the time given from now on. */
  async stayAlive(ttlMs: number): Promise<void> {
    const { client, replica: id } = this.options;
    const aliveUntil = await this.inTime(ttlMs);
    await client.replica.upsert({ where: { id }, create: { id, aliveUntil }, update: { aliveUntil } });
  }

  /** The others may take over at once. */
  async leave(): Promise<void> {
    const { client, replica: id } = this.options;
    await client.replica.updateMany({ where: { id }, data: { aliveUntil: await this.inTime(0) } });
  }

  async pruneDead(): Promise<void> {
    const { client } = this.options;
    await client.replica.deleteMany({ where: { aliveUntil: { lt: await this.inTime(-KEEP_DEAD_MS) } } });
  }

  private async inTime(durationMs: number): Promise<Date> {
    return new Date((await readTime(this.database.pool)).getTime() + durationMs);
  }
}
