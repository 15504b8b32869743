import { backupDatabase, readManifest, recordBackupEvent, restoreDatabase, type Manifest } from '@tetrad/db';
import {
  booleanOption,
  defineOptions,
  listOption,
  option,
  pathOption,
  type ConfigOf,
  type ServiceEnvironment,
} from '@tetrad/service';
import { managerTables } from '@tetrad/transaction-manager';
import { managerOptions } from './config.js';
import { OF_COMMAND, openDatabase } from './database.js';

/** Those of the manager, so that its configuration file serves here too; its keys are not needed. */
export const keylessOptions = {
  ...managerOptions,
  keyFiles: option(listOption(pathOption()), {
    description: managerOptions.keyFiles.description,
    default: [] as readonly string[],
  }),
};

export const backupOptions = defineOptions({
  ...keylessOptions,
  out: option(pathOption('DIR'), { description: 'New folder for the backup.', required: true }),
  record: option(booleanOption(), {
    description: 'Record the backup in the database: the manager shows its age as a metric.',
    default: true,
  }),
});

export const recordOptions = defineOptions({
  ...keylessOptions,
  from: option(pathOption('DIR'), { description: 'Folder with the backup.', required: true }),
  verified: option(booleanOption(), {
    description: 'Record that the backup was verified, now, instead of when it was made.',
    default: false,
  }),
});

export const restoreOptions = defineOptions({
  ...keylessOptions,
  from: option(pathOption('DIR'), { description: 'Folder with the backup.', required: true }),
  resume: option(booleanOption(), {
    description: 'Accept a database that already contains this backup, as after an interrupted restore.',
    default: false,
  }),
});

/**
 * Writes the payloads of a manager, which may be running, as they are stored: encrypted, without the keys.
 * @returns a line of JSON for the operator
 * @throws OperatorError when the folder is there
 */
export async function backUpManager(
  config: ConfigOf<typeof backupOptions>,
  environment: ServiceEnvironment,
): Promise<string> {
  const opened = await openDatabase(config, environment, OF_COMMAND);
  try {
    const onUnrecorded = (error: Error) =>
      environment.logger.warn('backup is not recorded', { error: error.message });
    const target = {
      folder: config.out,
      kind: 'payloads' as const,
      ...(config.record ? { onUnrecorded } : {}),
    };
    const plan = { tables: managerTables, facts: {} };
    return describe(await backupDatabase(opened.database, target, async () => plan));
  } finally {
    await opened.close();
  }
}

/**
 * Records in the manager's database that a backup was made or verified.
 * @returns a line of JSON for the operator
 * @throws OperatorError when the folder holds no backup of a manager
 */
export async function recordManagerBackup(
  config: ConfigOf<typeof recordOptions>,
  environment: ServiceEnvironment,
): Promise<string> {
  const { createdAt } = await readManifest(config.from, 'payloads');
  const opened = await openDatabase(config, environment, OF_COMMAND);
  try {
    const { pool } = opened.database;
    if (config.verified) await recordBackupEvent(pool, 'verification');
    else await recordBackupEvent(pool, 'backup', new Date(createdAt));
    return JSON.stringify({ recorded: config.verified ? 'verification' : 'backup', createdAt });
  } finally {
    await opened.close();
  }
}

/**
 * Puts a backup into the manager's database, which must be empty; the manager must not be running.
 * @returns a line of JSON for the operator
 * @throws OperatorError when the backup is damaged, or the database holds something
 */
export async function restoreManager(
  config: ConfigOf<typeof restoreOptions>,
  environment: ServiceEnvironment,
): Promise<string> {
  const opened = await openDatabase({ ...config, migrate: true }, environment);
  try {
    const { from: folder, resume } = config;
    return describe(await restoreDatabase(opened.database, { folder, kind: 'payloads', resume }));
  } finally {
    await opened.close();
  }
}

function describe({ tables }: Manifest): string {
  const bytes = tables.reduce((sum, table) => sum + table.bytes, 0);
  return JSON.stringify({ payloads: tables.find(({ name }) => name === 'payload')?.rows ?? 0, bytes });
}
