import { backupDatabase, readManifest, recordBackupEvent, restoreDatabase, type Manifest } from '@tetrad/db';
import { backupHeight } from '@tetrad/node-private-state';
import { BackupRows, SIGNED_RECORDS, isPrivateTable, nodeTables } from '@tetrad/node-store';
import {
  booleanOption,
  defineOptions,
  option,
  pathOption,
  type ConfigOf,
  type ServiceEnvironment,
} from '@tetrad/service';
import { nodeOptions, type NodeConfig } from '../options/config.js';
import { OF_COMMAND, openDatabase } from '../open/database.js';

const CHAIN = 'Chain';

/** Options of the node, so that its configuration file can be used here too. */
const commonOptions = {
  ...nodeOptions,
  dataDir: option(pathOption('DIR'), {
    group: CHAIN,
    description: nodeOptions.dataDir.description,
    default: '.tetrad/node',
  }),
  genesisFile: option(pathOption(), { group: CHAIN, description: nodeOptions.genesisFile.description }),
};

export const backupOptions = defineOptions({
  ...commonOptions,
  out: option(pathOption('DIR'), {
    group: CHAIN,
    description: 'New folder for the backup.',
    required: true,
  }),
  record: option(booleanOption(), {
    group: CHAIN,
    description: 'Record the backup in the database: the node shows its age as a metric.',
    default: true,
  }),
});

export const recordOptions = defineOptions({
  ...commonOptions,
  from: option(pathOption('DIR'), {
    group: CHAIN,
    description: 'Folder with the backup.',
    required: true,
  }),
  verified: option(booleanOption(), {
    group: CHAIN,
    description: 'Record that the backup was verified, now, instead of when it was made.',
    default: false,
  }),
});

export const restoreOptions = defineOptions({
  ...commonOptions,
  from: option(pathOption('DIR'), {
    group: CHAIN,
    description: 'Folder with the backup.',
    required: true,
  }),
  chainOnly: option(booleanOption(), {
    group: CHAIN,
    description: 'Skip private state: the node re-executes the private transactions after a restore.',
    default: false,
  }),
});

/**
 * Writes chain and private state of a node, which may be running, as of one block.
 * @returns a line of JSON for the operator
 * @throws OperatorError when the folder exists or the database holds no chain
 */
export async function backUpNode(
  config: ConfigOf<typeof backupOptions>,
  { logger }: ServiceEnvironment,
): Promise<string> {
  const opened = await openDatabase(config as NodeConfig, logger, OF_COMMAND);
  try {
    const onUnrecorded = (error: Error) => logger.warn('backup is not recorded', { error: error.message });
    const target = { folder: config.out, kind: 'node' as const, ...(config.record ? { onUnrecorded } : {}) };
    const manifest = await backupDatabase(opened.database, target, async (client) => {
      const rows = new BackupRows(client);
      await rows.holdStates();
      const { number, privateStateRoot = null, ...height } = await backupHeight(rows);
      const facts = { ...height, height: number, privateStateRoot };
      return { tables: nodeTables({ number, hash: height.hash }), facts };
    });
    return describe(manifest);
  } finally {
    await opened.close();
  }
}

/**
 * Records in the node's database that a backup was made or verified.
 * @returns a line of JSON for the operator
 * @throws OperatorError when the folder holds no backup of a node
 */
export async function recordNodeBackup(
  config: ConfigOf<typeof recordOptions>,
  { logger }: ServiceEnvironment,
): Promise<string> {
  const { createdAt } = await readManifest(config.from, 'node');
  const opened = await openDatabase(config as NodeConfig, logger, OF_COMMAND);
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
 * Restores a backup to the node's database, which must be empty; the node must not be running.
 * @returns a line of JSON for the operator
 * @throws OperatorError when the backup is damaged, or the database is not empty
 */
export async function restoreNode(
  config: ConfigOf<typeof restoreOptions>,
  { logger }: ServiceEnvironment,
): Promise<string> {
  const opened = await openDatabase({ ...(config as NodeConfig), migrate: true }, logger);
  try {
    // What the key signed since the backup is unknown, so the validator starts without a record (docs/adr/0142).
    const isLeftOut = (table: string) =>
      table === SIGNED_RECORDS || (config.chainOnly && isPrivateTable(table));
    return describe(await restoreDatabase(opened.database, { folder: config.from, kind: 'node', isLeftOut }));
  } finally {
    await opened.close();
  }
}

function describe({ facts, tables }: Manifest): string {
  const bytes = tables.reduce((sum, table) => sum + table.bytes, 0);
  return JSON.stringify({ ...facts, bytes });
}
