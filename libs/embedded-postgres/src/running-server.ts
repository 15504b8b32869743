import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { DATABASE_USER, clusterFolder } from './cluster.js';
import { findOwner, readPostmasterFile } from './leftover-server.js';

/**
 * The server that another process runs on the folder, for a command next to a running service.
 * @returns connection URL of a database of the cluster; undefined when no process uses it
 */
export async function findRunningPostgres(
  dataDir: string,
): Promise<((databaseName: string) => string) | undefined> {
  const folder = clusterFolder(resolve(dataDir));
  const server = await readPostmasterFile(folder.cluster);
  if (server === undefined) return undefined;
  const password = (await readFile(folder.passwordFile, 'utf8').catch(() => '')).trim();
  const urlOf = (databaseName: string) =>
    `postgresql://${DATABASE_USER}:${password}@127.0.0.1:${server.port}/${encodeURIComponent(databaseName)}`;
  return (await findOwner(urlOf('postgres'))) === 'present' ? urlOf : undefined;
}
