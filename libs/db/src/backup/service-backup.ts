import { OperatorError } from '@tetrad/types';
import type pg from 'pg';
import { connectDatabase, type Database } from '../database.js';
import { checkSchema } from '../check-schema.js';
import { prismaFolder } from '../prisma-folder.js';
import { backupDatabase } from './backup-database.js';
import { NOT_BACKED_UP, type BackupTable } from './backup-table.js';
import type { Manifest } from './manifest.js';
import { restoreDatabase } from './restore-database.js';
import { verifyBackup } from './verify-backup.js';

export type BackedUpService = 'signer' | 'wallet' | 'rollup-operator';

interface SpecialTables {
  /** They have one row from their migration on. */
  readonly seeded: readonly string[];
  /** They are changed by triggers of others, and are restored after those. */
  readonly last: readonly string[];
}

/** Services whose databases are backed up as they are, of one snapshot; node and manager have commands of their own. */
const SERVICES: Readonly<Record<BackedUpService, SpecialTables>> = {
  signer: { seeded: ['audit_head'], last: [] },
  wallet: { seeded: [], last: ['vault'] },
  'rollup-operator': { seeded: ['sequence_head'], last: [] },
};

/** @throws OperatorError that names the command of a service that has its own */
export function assertBackedUp(service: string): asserts service is BackedUpService {
  if (!Object.hasOwn(SERVICES, service))
    throw new OperatorError(`${service}: has a command of its own; see main.js backup --help`);
}

/**
 * Writes all rows of a service, which may be running, to a new folder, and records that.
 * @throws OperatorError when the folder exists or the schema is not the one this version knows; as the database does
 */
export function backUpService(
  url: string,
  service: BackedUpService,
  target: { readonly folder: string; readonly onUnrecorded: (error: Error) => void },
): Promise<Manifest> {
  return withDatabase(url, service, (database) =>
    backupDatabase(database, { ...target, kind: service }, async (client) => ({
      tables: await tablesInOrder(client, SERVICES[service].last),
      facts: {},
    })),
  );
}

/**
 * Restores a backup to the database of a service, which must have the schema of this version and no rows; the service must
 * not be running.
 * @throws OperatorError when the backup is damaged or the database has rows; nothing is restored then
 */
export function restoreService(url: string, service: BackedUpService, folder: string): Promise<Manifest> {
  return withDatabase(url, service, (database) =>
    restoreDatabase(database, { folder, kind: service, seeded: SERVICES[service].seeded }),
  );
}

/** @throws OperatorError when the backup is not as it was written */
export function verifyServiceBackup(service: BackedUpService, folder: string): Promise<Manifest> {
  return verifyBackup(folder, service);
}

async function withDatabase<T>(
  url: string,
  service: string,
  work: (database: Database) => Promise<T>,
): Promise<T> {
  const database = await connectDatabase({ url, poolSize: 1 });
  try {
    await checkSchema(database, prismaFolder(service));
    return await work(database);
  } finally {
    await database.close();
  }
}

/**
 * Every table, each after those that its rows refer to.
 * @param last - names of tables that others do not refer to
 */
async function tablesInOrder(client: pg.ClientBase, last: readonly string[]): Promise<BackupTable[]> {
  const { rows } = await client.query<{ name: string; needs: string[] }>(
    `SELECT relname AS name,
            ARRAY(SELECT referred.relname::text FROM pg_constraint JOIN pg_class referred ON referred.oid = confrelid
                   WHERE contype = 'f' AND conrelid = own.oid AND confrelid <> own.oid) AS needs
       FROM pg_class own
      WHERE relkind = 'r' AND relnamespace = current_schema()::regnamespace AND relname <> ALL ($1)
      ORDER BY relname`,
    [NOT_BACKED_UP],
  );
  const ordered: string[] = [];
  while (ordered.length < rows.length) {
    const next = rows.find(
      ({ name, needs }) => !ordered.includes(name) && needs.every((one) => ordered.includes(one)),
    );
    if (next === undefined) throw new Error('tables refer to each other in a circle');
    ordered.push(next.name);
  }
  return [...ordered.filter((name) => !last.includes(name)), ...last].map((name) => ({ name }));
}
