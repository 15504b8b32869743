import {
  chownSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { THROW_AWAY_SETTINGS, clusterFolder, startEmbeddedPostgres } from '@tetrad/embedded-postgres';
import pg from 'pg';
import type { CertificateFiles } from './test-authority.js';

/** A PostgreSQL whose TLS a test changes while it runs. */
export class TlsServer {
  private generation = 0;

  private constructor(
    private readonly folder: string,
    private readonly server: Awaited<ReturnType<typeof startEmbeddedPostgres>>,
  ) {}

  static async start(): Promise<TlsServer> {
    const folder = mkdtempSync(join(tmpdir(), 'tetrad-tls-'));
    const server = await startEmbeddedPostgres({ dataDir: folder, settings: THROW_AWAY_SETTINGS });
    return new TlsServer(folder, server);
  }

  /** The URL by another host name, with parameters. */
  url(parameters: Readonly<Record<string, string>> = {}, host = 'localhost'): string {
    const url = new URL(this.server.url('postgres'));
    url.hostname = host;
    url.search = new URLSearchParams(parameters).toString();
    return url.href;
  }

  /** Serves with the certificate from now on, or without TLS. */
  async serve(certificate: CertificateFiles | undefined): Promise<void> {
    if (certificate === undefined) return this.configure(["ALTER SYSTEM SET ssl = 'off'"], 'off');
    const cert = this.give(certificate.cert, 'server.crt');
    const key = this.give(certificate.key, 'server.key');
    await this.configure(
      [
        `ALTER SYSTEM SET ssl_cert_file = '${cert}'`,
        `ALTER SYSTEM SET ssl_key_file = '${key}'`,
        "ALTER SYSTEM SET ssl = 'on'",
      ],
      'on',
    );
  }

  /** Demands a certificate of the authority from every client that comes with TLS. */
  async demandClients(authority: string): Promise<void> {
    const { cluster } = clusterFolder(this.folder);
    const hba = join(cluster, 'pg_hba.conf');
    const before = readFileSync(hba, 'utf8');
    writeFileSync(hba, `hostssl all all all scram-sha-256 clientcert=verify-ca\n${before}`);
    await this.configure([`ALTER SYSTEM SET ssl_ca_file = '${this.give(authority, 'ca.crt')}'`], 'on');
  }

  async stop(): Promise<void> {
    await this.server.stop();
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** New connections have the settings once one of them shows the mark, a setting without effect here. */
  private async configure(statements: readonly string[], ssl: string): Promise<void> {
    this.generation += 1;
    const mark = `ALTER SYSTEM SET log_min_duration_sample = ${this.generation}`;
    await this.run([...statements, mark, 'SELECT pg_reload_conf()']);
    const shown = async () => {
      const [row] = await this.run([
        "SELECT setting::int AS mark, current_setting('ssl') AS ssl FROM pg_settings WHERE name = 'log_min_duration_sample'",
      ]);
      return row?.['mark'] === this.generation && row['ssl'] === ssl;
    };
    while (!(await shown())) await new Promise((tick) => setTimeout(tick, 20));
  }

  private async run(statements: readonly string[]): Promise<Record<string, unknown>[]> {
    const client = new pg.Client({ connectionString: this.server.url('postgres'), ssl: false });
    await client.connect();
    try {
      let rows: Record<string, unknown>[] = [];
      for (const statement of statements) ({ rows } = await client.query<Record<string, unknown>>(statement));
      return rows;
    } finally {
      await client.end();
    }
  }

  /** PostgreSQL reads a key only from a file that is its own. */
  private give(file: string, name: string): string {
    const { cluster } = clusterFolder(this.folder);
    const { uid, gid } = statSync(cluster);
    const tls = join(cluster, 'tls');
    mkdirSync(tls, { recursive: true });
    const copy = join(tls, name);
    copyFileSync(file, copy);
    for (const path of [tls, copy]) chownSync(path, uid, gid);
    return copy;
  }
}
