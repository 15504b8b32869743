import { OperatorError } from '@tetrad/types';
import {
  assertBackedUp,
  backUpService,
  restoreService,
  verifyServiceBackup,
} from './backup/service-backup.js';
import { jobDatabaseUrl } from './job-database-url.js';
import { migrateDeploy } from './migrate-deploy.js';
import { listPrismaFolders, prismaFolder } from './prisma-folder.js';

const USAGE = `Usage:
  node bundle/db.js migrate deploy SERVICE       applies the migrations that the database lacks
  node bundle/db.js backup SERVICE --out DIR     writes all rows to a new folder; the service may be running
  node bundle/db.js restore SERVICE --from DIR   puts a backup into an empty database with the schema of this version
  node bundle/db.js verify SERVICE --from DIR    compares all files of a backup with their checksums

backup, restore and verify are for signer, wallet and rollup-operator; node and transaction-manager have commands of their own.
The URL of the database is read where the service reads it, from TETRAD_<SERVICE>_DATABASE_URL and
TETRAD_<SERVICE>_DATABASE_PASSWORD_FILE. A backup is as confidential as the database.
`;

/** The last words of each command of backups. */
const FOLDER_FLAGS = { backup: '--out', restore: '--from', verify: '--from' } as const;

async function run(words: readonly string[]): Promise<string> {
  const [command = '', action, service, ...rest] = words;
  if (command === 'migrate' && action === 'deploy' && service !== undefined && rest.length === 0)
    return migrate(service);
  if (isBackupCommand(command) && words.length === 4 && words[2] === FOLDER_FLAGS[command])
    return handleBackup(command, words[1] ?? '', words[3] ?? '');
  throw new OperatorError(`unknown command\n\n${USAGE}`);
}

async function migrate(service: string): Promise<string> {
  const services = await listPrismaFolders();
  if (!services.includes(service))
    throw new OperatorError(`no schema for ${service}; there are ${services.join(', ')}`);
  const applied = await migrateDeploy(jobDatabaseUrl(service, process.env), prismaFolder(service));
  return applied.length === 0 ? 'schema is up to date' : `applied: ${applied.join(', ')}`;
}

function isBackupCommand(command: string): command is keyof typeof FOLDER_FLAGS {
  return Object.hasOwn(FOLDER_FLAGS, command);
}

/** Out: a line of JSON for the operator */
async function handleBackup(
  command: keyof typeof FOLDER_FLAGS,
  service: string,
  folder: string,
): Promise<string> {
  assertBackedUp(service);
  const url = () => jobDatabaseUrl(service, process.env);
  const handle = {
    backup: () => backUpService(url(), service, folder),
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
    process.stdout.write(`${await run(process.argv.slice(2))}\n`);
  } catch (error) {
    process.stderr.write(`tetrad db: ${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  }
}
