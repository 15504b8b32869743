import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { OperatorError } from '@tetrad/types';
import { createDatabase, hasDatabase } from './database.js';
import { withEmbedded } from './load-embedded.js';

export interface EmbeddedDatabaseOptions {
  /** Name of the database in the server. */
  readonly name: string;
  readonly dataDir: string;
  /** Use the server that a running service has on the folder, as a command beside it does. */
  readonly share?: boolean;
  /** Make nothing that is not there, as for a command that only looks at what a service has stored. */
  readonly existing?: boolean;
}

/** A database of an embedded server. */
export interface EmbeddedDatabase {
  readonly url: string;
  /** Whether another process runs the server, and so keeps its schema. */
  readonly isShared: boolean;
  /** Stops the server, unless another process runs it. */
  release(): Promise<void>;
}

/**
 * Starts the server of a data folder, or finds the one that runs, and makes the database in it.
 *
 * Fails: OperatorError when the server does not start, or something had to be made
 */
export async function openEmbeddedDatabase(options: EmbeddedDatabaseOptions): Promise<EmbeddedDatabase> {
  const { name, dataDir, share = false, existing = false } = options;
  const folder = join(dataDir, 'postgres');
  return withEmbedded(async ({ clusterFolder, findRunningPostgres, startEmbeddedPostgres }) => {
    if (existing && !existsSync(clusterFolder(folder).cluster)) throw nothingIn(dataDir);
    const running = share ? await findRunningPostgres(folder) : undefined;
    if (running !== undefined) {
      if (existing && !(await hasDatabase(running('postgres'), name))) throw nothingIn(dataDir);
      return { url: running(name), isShared: true, release: async () => undefined };
    }
    await mkdir(dataDir, { recursive: true });
    const server = await startEmbeddedPostgres({ dataDir: folder });
    try {
      if (existing && !(await hasDatabase(server.url('postgres'), name))) throw nothingIn(dataDir);
      const url = await createDatabase(server.url('postgres'), name);
      return { url, isShared: false, release: () => server.stop() };
    } catch (error) {
      await server.stop();
      throw error;
    }
  });
}

function nothingIn(dataDir: string): OperatorError {
  return new OperatorError(
    `no database in ${resolve(dataDir)}; name the folder of the service with --data-dir, or its database with --database-url`,
  );
}
