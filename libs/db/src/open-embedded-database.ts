import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { makeDataFolder } from '@tetrad/files';
import { OperatorError, type Logger } from '@tetrad/types';
import { hasDatabase } from './database.js';
import { withEmbedded } from './load-embedded.js';
import { createOwnedDatabase } from './owned-database.js';

export interface EmbeddedDatabaseOptions {
  /** Name of the database in the server. */
  readonly name: string;
  readonly dataDir: string;
  /** Use the server that a running service has on the folder, for a command run beside the service. */
  readonly share?: boolean;
  /** Create nothing, for a command that only reads the data of a service. */
  readonly existing?: boolean;
  readonly logger?: Logger;
  /** Called when the server ended and cannot be restarted. */
  readonly onLost?: ((error: OperatorError) => void) | undefined;
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
 * @throws OperatorError when the server does not start, or a missing database must not be created
 */
export async function openEmbeddedDatabase(options: EmbeddedDatabaseOptions): Promise<EmbeddedDatabase> {
  const { name, dataDir, share = false, existing = false, logger, onLost } = options;
  const folder = join(dataDir, 'postgres');
  return withEmbedded(async ({ clusterFolder, findRunningPostgres, startEmbeddedPostgres }) => {
    if (existing && !existsSync(clusterFolder(folder).cluster)) throw nothingIn(dataDir);
    const running = share ? await findRunningPostgres(folder) : undefined;
    if (running !== undefined) {
      if (existing && !(await hasDatabase(running('postgres'), name))) throw nothingIn(dataDir);
      return {
        url: await createOwnedDatabase(running('postgres'), name),
        isShared: true,
        release: async () => undefined,
      };
    }
    await makeDataFolder(dataDir);
    const server = await startEmbeddedPostgres({
      dataDir: folder,
      onDown: (why) => logger?.warn('embedded PostgreSQL is down, starting it again', { why }),
      onUp: () => logger?.info('embedded PostgreSQL is back'),
      // An error of the package beside a bundle is of a class of its own.
      onLost: (error) => onLost?.(new OperatorError(error.message, { cause: error })),
    });
    try {
      if (existing && !(await hasDatabase(server.url('postgres'), name))) throw nothingIn(dataDir);
      const url = await createOwnedDatabase(server.url('postgres'), name);
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
