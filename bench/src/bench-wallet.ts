import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { connectDatabase, createDatabase, type Database } from '@tetrad/db';
import { startEmbeddedPostgres } from '@tetrad/embedded-postgres';
import { WALLET_PATH, freePorts, openWallet } from '@tetrad/devnet';
import type { Peer } from './peers.js';

export interface BenchWallet extends Peer {
  /** The wallet's own database. */
  readonly database: Database;
  /**
   * Makes a key on the command line.
   * @returns its address
   */
  newKey(kind: 'secp256k1' | 'bls'): Promise<string>;
}

/** A wallet of ours on an embedded PostgreSQL, as `./tetrad up` starts it. */
export async function startWallet(): Promise<BenchWallet> {
  const folder = await mkdtemp(join(tmpdir(), 'tetrad-bench-wallet-'));
  const base = await freePorts(2);
  const server = await startEmbeddedPostgres({ dataDir: join(folder, 'postgres') });
  const wallet = await openWallet({
    dataDir: folder,
    databaseUrl: await createDatabase(server.url('postgres'), 'wallet'),
    port: base,
    opsPort: base + 1,
  });
  await wallet.start();
  const { environment } = wallet.command([]);
  const database = await connectDatabase({
    url: environment['TETRAD_WALLET_DATABASE_URL'] ?? '',
    poolSize: 1,
  });
  return {
    url: `http://127.0.0.1:${base}${WALLET_PATH}`,
    pid: wallet.pid,
    database,
    async newKey(kind) {
      const { command, args } = wallet.command(['new', kind]);
      const env = { ...process.env, ...environment };
      return (await promisify(execFile)(command, [...args], { env })).stdout.trim();
    },
    async stop() {
      await database.close();
      await wallet.stop();
      await server.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
