import { join, resolve } from 'node:path';
import { createDatabase, createOwnedDatabase } from '@tetrad/db';
import { startEmbeddedPostgres } from '@tetrad/embedded-postgres';
import type { NetworkOptions } from './network-options.js';

export interface DatabaseServer {
  /** URL of a database of the server. */
  readonly url: string;
  /** URL of the database with the name, which is made when it is missing. */
  open(name: string): Promise<string>;
  stop(): Promise<void>;
}

type OnEnded = ((service: string, how: string) => void) | undefined;

/** `--database-pool-size` of a service that is given none. */
const POOL = 10;
/** For migrations, backups, checks, and the launcher itself. */
const RESERVE = 20;
/** That of the embedded server otherwise. */
const USUAL_CONNECTIONS = 200;

/**
 * The connections that the services of a network may hold together.
 *
 * @param services how many processes have a database
 * @returns what `max_connections` of their server must be at least
 */
export function connectionsNeeded(services: number): number {
  return services * POOL + RESERVE;
}

/** Data folder of the embedded PostgreSQL of the network in the folder. */
export const postgresFolder = (dataDir: string) => join(resolve(dataDir), 'postgres');

/**
 * The server that the options name, or an embedded one. It creates the databases at once, in their order, so that those of later
 * services are there when earlier services have started.
 */
export async function openDatabases(
  options: NetworkOptions,
  names: readonly string[],
  onEnded: OnEnded,
): Promise<DatabaseServer> {
  const server = await openServer(options, { onEnded, connections: connectionsNeeded(names.length) });
  const opened = new Map<string, Promise<string>>();
  let before: Promise<unknown> = Promise.resolve();
  const open = (name: string) => {
    const database = opened.get(name) ?? before.then(() => server.open(name));
    opened.set(name, database);
    // The service that opens it reports the failure.
    before = database.catch(() => undefined);
    return database;
  };
  for (const name of names) void open(name);
  return { ...server, open };
}

async function openServer(
  { databaseUrl, dataDir }: NetworkOptions,
  { onEnded, connections }: { readonly onEnded: OnEnded; readonly connections: number },
): Promise<DatabaseServer> {
  if (databaseUrl !== undefined)
    return {
      url: databaseUrl,
      open: (name) => createDatabase(databaseUrl, name),
      stop: async () => undefined,
    };
  const server = await startEmbeddedPostgres({
    dataDir: postgresFolder(dataDir),
    settings: [`max_connections=${Math.max(USUAL_CONNECTIONS, connections)}`],
    onDown: (why) => onEnded?.('postgres', `is down (${why}) and is started again`),
    onLost: ({ message }) => onEnded?.('postgres', message),
  });
  const url = server.url('postgres');
  return { url, open: (name) => createOwnedDatabase(url, name), stop: () => server.stop() };
}
