import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import {
  chmod,
  chown,
  lchown,
  mkdir,
  readFile,
  readdir,
  rename,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises';
import { join } from 'node:path';
import type { Account } from './account.js';
import type { Binaries } from './binaries.js';
import { CLUSTER_TEMPLATE, copyTemplate, mayCopy } from './cluster-template.js';
import { EmbeddedPostgresError } from './embedded-postgres-error.js';
import { DATABASE_USER, runInitdb } from './initdb.js';

export { DATABASE_USER };

/**
 * The data directory:
 *
 *   cluster/   PostgreSQL's own data directory, owned by the account it runs as
 *   password   of the one database user; mode 0600
 *   port       of the last start, so that URLs stay the same
 *   lock       of the process that uses it
 *   postgres.log
 */
export interface ClusterFolder {
  readonly path: string;
  readonly cluster: string;
  readonly passwordFile: string;
  readonly portFile: string;
  readonly lockFile: string;
  readonly logFile: string;
}

export function clusterFolder(path: string): ClusterFolder {
  return {
    path,
    cluster: join(path, 'cluster'),
    passwordFile: join(path, 'password'),
    portFile: join(path, 'port'),
    lockFile: join(path, 'lock'),
    logFile: join(path, 'postgres.log'),
  };
}

/**
 * Creates the cluster unless it exists; after an interruption it is created again.
 * @returns the password of the database user
 */
export async function initialiseCluster(
  folder: ClusterFolder,
  { binaries, account }: { binaries: Binaries; account: Account },
): Promise<string> {
  if (existsSync(folder.cluster)) {
    await giveBack(folder, account);
    const password = await readFile(folder.passwordFile, 'utf8').catch(() => '');
    if (password.trim() === '') throw new EmbeddedPostgresError(`${folder.passwordFile} is missing or empty`);
    return password.trim();
  }
  // The account that runs PostgreSQL has to pass through; it can read only its own files.
  if (account.owner !== undefined) await chmod(folder.path, 0o711);
  const password = randomBytes(24).toString('hex');
  await writeFile(folder.passwordFile, password, { mode: 0o600 });
  await give(folder.passwordFile, account);

  const draft = `${folder.cluster}.new`;
  await rm(draft, { recursive: true, force: true });
  await mkdir(draft, { mode: 0o700 });
  await give(draft, account);
  const programs = { binaries, account };
  const template = process.env[CLUSTER_TEMPLATE] ?? '';
  if (await mayCopy(programs, template)) await copyTemplate(programs, template, { draft, password });
  else await runInitdb(programs, draft, folder.passwordFile);
  await rename(draft, folder.cluster);
  return password;
}

async function give(path: string, { owner }: Account): Promise<void> {
  if (owner !== undefined) await chown(path, owner.uid, owner.gid);
}

/**
 * Gives a cluster that belongs to root to the account again: PostgreSQL never runs as root, so that root has copied the folder
 * without its owners (`cp -r`). The directory itself comes last, so that an interrupted repair is repeated.
 */
async function giveBack({ path, cluster, passwordFile }: ClusterFolder, account: Account): Promise<void> {
  const { owner } = account;
  if (owner === undefined || (await stat(cluster)).uid !== 0) return;
  await chmod(path, 0o711);
  if (existsSync(passwordFile)) await give(passwordFile, account);
  for (const entry of await readdir(cluster, { recursive: true, withFileTypes: true }))
    await lchown(join(entry.parentPath, entry.name), owner.uid, owner.gid);
  await chmod(cluster, 0o700);
  await give(cluster, account);
}
