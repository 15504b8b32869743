import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connectDatabase } from '@tetrad/db';
import { clusterFolder, startEmbeddedPostgres, type EmbeddedPostgres } from '@tetrad/embedded-postgres';
import { isRunning } from './is-running.js';
import { until } from './until.js';

const STANDBY = 'standby';

/** A primary, and a standby that confirms every commit before it is acknowledged: two real servers. */
export class PostgresPair {
  private constructor(
    private readonly folder: string,
    private primary: EmbeddedPostgres,
    readonly standby: EmbeddedPostgres,
  ) {}

  static async start(): Promise<PostgresPair> {
    const folder = mkdtempSync(join(tmpdir(), 'tetrad-pair-'));
    const first = await startEmbeddedPostgres(serverOptions(join(folder, 'a')));
    await first.stop();
    copyStopped(join(folder, 'a'), join(folder, 'b'));
    const primary = await startEmbeddedPostgres({
      ...serverOptions(join(folder, 'a'), [`synchronous_standby_names=${STANDBY}`]),
      port: first.port,
    });
    const { username, password, port } = new URL(primary.url('postgres'));
    const source = `host=127.0.0.1 port=${port} user=${username} password=${password} application_name=${STANDBY}`;
    const standby = await startEmbeddedPostgres(
      serverOptions(join(folder, 'b'), [`primary_conninfo=${source}`]),
    );
    const pair = new PostgresPair(folder, primary, standby);
    await until(async () => {
      const [row] = await pair.run(primary, 'SELECT sync_state FROM pg_stat_replication');
      return row?.['sync_state'] === 'sync';
    });
    return pair;
  }

  /** URL of a database with both servers, in the order in which they were made. */
  url(database: string): string {
    const url = new URL(this.primary.url(database));
    const others = `127.0.0.1:${this.standby.port}`;
    return url.href.replace(`@${url.host}`, `@${url.host},${others}`);
  }

  /** Ends the primary as a lost host would; nothing of it answers when this resolves. */
  async killPrimary(): Promise<void> {
    const pid = Number(readFileSync(join(this.clusterOfPrimary, 'postmaster.pid'), 'utf8').split('\n')[0]);
    process.kill(pid, 'SIGKILL');
    await until(() => !isRunning(pid));
  }

  /** Makes the standby a primary, on the next timeline. */
  async promote(): Promise<void> {
    await this.run(this.standby, 'SELECT pg_promote()');
  }

  /** Starts the former primary again, as an operator should not: it accepts writes, and waits for no standby. */
  async startFormer(): Promise<void> {
    const { port } = this.primary;
    await this.primary.stop();
    this.primary = await startEmbeddedPostgres({ ...serverOptions(join(this.folder, 'a')), port });
  }

  /** Runs a statement on one of the servers, in the database `postgres` unless another is named. */
  async run(
    server: EmbeddedPostgres | 'primary',
    statement: string,
    database = 'postgres',
  ): Promise<Record<string, unknown>[]> {
    const one = server === 'primary' ? this.primary : server;
    const connection = await connectDatabase({ url: one.url(database), poolSize: 1 });
    try {
      return (await connection.pool.query<Record<string, unknown>>(statement)).rows;
    } finally {
      await connection.close();
    }
  }

  async stop(): Promise<void> {
    // The standby first: a primary waits at its end for what a standby has not received.
    await this.standby.stop();
    await this.primary.stop();
    rmSync(this.folder, { recursive: true, force: true });
  }

  private get clusterOfPrimary(): string {
    return clusterFolder(join(this.folder, 'a')).cluster;
  }
}

const serverOptions = (dataDir: string, settings: readonly string[] = []) => ({
  dataDir,
  settings: ['shared_buffers=64MB', 'max_wal_size=1GB', ...settings],
  isKeptUp: false,
});

/** A copy of a server that does not run is a base backup; the packages have no pg_basebackup. */
function copyStopped(from: string, to: string): void {
  const [source, target] = [clusterFolder(from), clusterFolder(to)];
  mkdirSync(to, { recursive: true, mode: 0o711 });
  for (const [one, other] of [
    [source.cluster, target.cluster],
    [source.passwordFile, target.passwordFile],
  ] as const)
    execFileSync('cp', ['-a', one, other]);
  writeFileSync(join(target.cluster, 'standby.signal'), '');
}
