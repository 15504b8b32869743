import { describeFileError } from '@tetrad/files';
import { OperatorError } from '@tetrad/types';
import { BACKUP_EVENT_KINDS, recordBackupEvent, type BackupEventKind } from './backup/backup-events.js';
import { connectDatabase } from './database.js';
import {
  assertBackedUp,
  backUpService,
  restoreService,
  verifyServiceBackup,
} from './backup/service-backup.js';
import { jobDatabaseUrl } from './job-database-url.js';
import { migrateDeploy } from './migrate-deploy.js';
import { withRefusals } from './refusal.js';
import { grantRights } from './rights.js';
import { listPrismaFolders, prismaFolder } from './prisma-folder.js';

const USAGE = `Usage (in a clone ./tetrad db instead of node bundle/db.js):
  node bundle/db.js migrate deploy SERVICE [--grant-to ROLE]
      applies the migrations that the database lacks, as the owner of the tables; a role that owns none of them gets the
      rights that the service needs: connecting, reading and writing rows
  node bundle/db.js backup SERVICE --out DIR     writes all rows to a new folder; the service may be running
  node bundle/db.js restore SERVICE --from DIR   puts a backup into an empty database with the schema of this version
  node bundle/db.js verify SERVICE --from DIR    compares all files of a backup with their checksums
  node bundle/db.js record backup|verification SERVICE
      records that a backup was made, by whatever tool, or verified, now: the running service shows the age of both as
      metrics; the command backup records its own

backup, restore and verify are for signer, wallet and rollup-operator; node and transaction-manager have commands of their own.
The URL of the database is read where the service reads it, from TETRAD_<SERVICE>_DATABASE_URL and
TETRAD_<SERVICE>_DATABASE_PASSWORD_FILE. A backup is as confidential as the database.
`;

/** The last words of each command of backups. */
const FOLDER_FLAGS = { backup: '--out', restore: '--from', verify: '--from' } as const;

/** The command line is invalid: exit code 2, as that of every program. */
class DbUsageError extends OperatorError {}

/** Services whose queue library creates a schema of its own when the service starts first. */
const OWN_SCHEMAS = ['rollup-operator'];

async function run(words: readonly string[]): Promise<string> {
  const [command = '', action, service, ...rest] = words;
  if (command === 'migrate' && action === 'deploy' && service !== undefined && isGrant(rest))
    return migrate(service, rest[1]);
  const event = BACKUP_EVENT_KINDS.find((kind) => command === 'record' && kind === action);
  if (event !== undefined && service !== undefined && rest.length === 0) return record(service, event);
  if (isBackupCommand(command) && words.length === 4 && words[2] === FOLDER_FLAGS[command])
    return handleBackup(command, words[1] ?? '', words[3] ?? '');
  throw new DbUsageError(`unknown command\n\n${USAGE}`);
}

/** Whether a migration ends there, or names the role that gets rights. */
function isGrant(rest: readonly string[]): boolean {
  return rest.length === 0 || (rest.length === 2 && rest[0] === '--grant-to');
}

async function migrate(service: string, role: string | undefined): Promise<string> {
  const services = await listPrismaFolders();
  if (!services.includes(service))
    throw new DbUsageError(`no schema for ${service}; there are ${services.join(', ')}`);
  const url = jobDatabaseUrl(service, process.env);
  const applied = await migrateDeploy(url, prismaFolder(service));
  const outcome = applied.length === 0 ? 'schema is up to date' : `applied: ${applied.join(', ')}`;
  if (role === undefined) return outcome;
  await grantRights(url, role, { createSchemas: OWN_SCHEMAS.includes(service) });
  return `${outcome}\ngranted to ${role}`;
}

async function record(service: string, event: BackupEventKind): Promise<string> {
  const database = await connectDatabase({ url: jobDatabaseUrl(service, process.env), poolSize: 1 });
  try {
    await recordBackupEvent(database.pool, event);
    return `recorded: ${event}`;
  } finally {
    await database.close();
  }
}

/** The backup is complete without its record. */
function reportUnrecorded({ message }: Error): void {
  process.stderr.write(`tetrad db: the backup is not recorded in the database: ${message}\n`);
}

function isBackupCommand(command: string): command is keyof typeof FOLDER_FLAGS {
  return Object.hasOwn(FOLDER_FLAGS, command);
}

/** @returns a line of JSON for the operator */
async function handleBackup(
  command: keyof typeof FOLDER_FLAGS,
  service: string,
  folder: string,
): Promise<string> {
  assertBackedUp(service);
  const url = () => jobDatabaseUrl(service, process.env);
  const handle = {
    backup: () => backUpService(url(), service, { folder, onUnrecorded: reportUnrecorded }),
    restore: () => restoreService(url(), service, folder),
    verify: () => verifyServiceBackup(service, folder),
  };
  const { createdAt, tables } = await handle[command]();
  const sum = (of: 'rows' | 'bytes') => tables.reduce((total, table) => total + table[of], 0);
  return JSON.stringify({ service, createdAt, rows: sum('rows'), bytes: sum('bytes') });
}

if (process.argv.length < 3 || process.argv.includes('--help')) {
  process.stdout.write(USAGE);
} else {
  try {
    process.stdout.write(`${await withRefusals('command', () => run(process.argv.slice(2)))}\n`);
  } catch (error) {
    const problem = describeFileError(error) ?? (error instanceof Error ? error.message : String(error));
    process.stderr.write(`tetrad db: ${problem}\n`);
    process.exitCode = error instanceof DbUsageError ? 2 : 1;
  }
}
