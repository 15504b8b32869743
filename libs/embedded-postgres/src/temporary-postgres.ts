import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedPostgres, type EmbeddedPostgres } from './embedded-postgres.js';

/** Settings of a cluster whose data need not survive. */
export const THROW_AWAY_SETTINGS = [
  'fsync=off',
  'synchronous_commit=off',
  'full_page_writes=off',
  'shared_buffers=64MB',
];

/** A PostgreSQL in a new folder, which is removed when it stops. For tests and for replaying migrations. */
export async function startTemporaryPostgres(): Promise<EmbeddedPostgres> {
  const dataDir = await mkdtemp(join(tmpdir(), 'tetrad-postgres-'));
  const server = await startEmbeddedPostgres({ dataDir, settings: THROW_AWAY_SETTINGS });
  return {
    ...server,
    async stop() {
      await server.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
