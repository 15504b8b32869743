import type { Database } from '../database.js';
import type pg from 'pg';
import { assertAllTables, listApplied, type BackupTable } from './backup-table.js';
import { recordBackupEvent } from './backup-events.js';
import { dumpTable } from './copy-table.js';
import { manifestFiles, type Manifest, type TableEntry } from './manifest.js';
import { writeFiles, writeFolder } from './write-backup.js';

/** The contents of a backup, as seen by the snapshot. */
export interface BackupPlan {
  /** Every table of the database, each after those that its rows refer to. */
  readonly tables: readonly BackupTable[];
  readonly facts: Manifest['facts'];
}

/**
 * Writes the rows of a database, as of one snapshot, into a new folder: a file for each table, the manifest and
 * its checksum. The database stays in use meanwhile; memory does not grow with its size.
 * @param database.target.onUnrecorded - the backup is recorded in the database unless this is absent; called when that
 *   is not possible, as for a role that may only read: the backup is complete plan — reads the list of tables on the
 *   snapshot
 * @throws OperatorError when the folder exists; as the database does. Nothing is left then
 */
export async function backupDatabase(
  database: Database,
  target: {
    readonly folder: string;
    readonly kind: Manifest['kind'];
    readonly onUnrecorded?: ((error: Error) => void) | undefined;
  },
  plan: (client: pg.ClientBase) => Promise<BackupPlan>,
): Promise<Manifest> {
  let manifest: Manifest | undefined;
  await writeFolder(target.folder, async (draft) => {
    await database.transaction(async (client) => {
      await client.query('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY');
      const { tables, facts } = await plan(client);
      await assertAllTables(client, tables);
      const entries: TableEntry[] = [];
      for (const table of tables) entries.push(await dumpTable(client, table, draft));
      const { kind } = target;
      const [migrations, createdAt] = [await listApplied(client), await serverTime(client)];
      manifest = { format: 1, kind, createdAt, migrations, facts, tables: entries };
    });
    await writeFiles(draft, manifestFiles(manifest as Manifest));
  });
  const { onUnrecorded } = target;
  const { createdAt } = manifest as Manifest;
  if (onUnrecorded !== undefined)
    await recordBackupEvent(database.pool, 'backup', new Date(createdAt)).catch(onUnrecorded);
  return manifest as Manifest;
}

async function serverTime(client: pg.ClientBase): Promise<string> {
  const { rows } = await client.query<{ now: Date }>('SELECT now() AS now');
  return (rows[0] as { now: Date }).now.toISOString();
}
