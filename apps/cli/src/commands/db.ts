import { withDatabaseName } from '@tetrad/db';
import { readEndpointsFile } from '@tetrad/devnet/network/endpoints';
import { DATABASE_COMMANDS } from '@tetrad/devnet/paths';
import { UsageError } from '@tetrad/devnet/usage-error';
import { runProgram } from './service.js';

export const DB_USAGE = `  migrate deploy SERVICE [--grant-to ROLE]
                          applies the migrations that the database lacks, and gives a role the rights that the service needs
  backup SERVICE --out DIR
                          writes all rows to a new folder; the service may be running
  restore SERVICE --from DIR
                          puts a backup into an empty database with the schema of this version
  verify SERVICE --from DIR
                          compares all files of a backup with their checksums
  record backup|verification SERVICE
                          records that a backup was made, or verified, now: the service shows its age as a metric

backup, restore and verify are for signer, wallet and rollup-operator; node and transaction-manager have ./tetrad backup.
The database is that of TETRAD_<SERVICE>_DATABASE_URL and TETRAD_<SERVICE>_DATABASE_PASSWORD_FILE, or, with
  --endpoints-file FILE   the one that the service has in a running network of ./tetrad up

An image has the same commands: node bundle/db.js.`;

/** Databases of a network of `up`, for services of which it has one process. */
const DATABASES: Readonly<Record<string, string>> = {
  signer: 'tetrad_signer',
  wallet: 'tetrad_wallet',
  'rollup-operator': 'tetrad_rollup_operator',
};

/** `db`: migrations, and backups of the services whose rows are backed up as they are. */
export async function db(args: readonly string[]): Promise<number> {
  const { words, file } = takeEndpointsFile(args);
  if (file === undefined) return runProgram(DATABASE_COMMANDS, words);
  const service = words.find((word) => Object.hasOwn(DATABASES, word));
  if (service === undefined)
    throw new UsageError(`--endpoints-file: is for ${Object.keys(DATABASES).join(', ')}`);
  const { database } = await readEndpointsFile(file);
  const url = withDatabaseName(database.url, DATABASES[service] ?? '');
  const variable = `TETRAD_${service.toUpperCase().replaceAll('-', '_')}_DATABASE_URL`;
  return runProgram(DATABASE_COMMANDS, words, [], { [variable]: url });
}

/** @throws UsageError when the option has no value */
function takeEndpointsFile(args: readonly string[]): {
  readonly words: readonly string[];
  readonly file: string | undefined;
} {
  const place = args.findIndex((word) => word === '--endpoints-file' || word.startsWith('--endpoints-file='));
  const [word = ''] = args.slice(place, place + 1);
  if (place < 0) return { words: args, file: undefined };
  const isInline = word.includes('=');
  const file = isInline ? word.slice(word.indexOf('=') + 1) : args[place + 1];
  if (file === undefined || file === '') throw new UsageError('--endpoints-file: requires a value');
  return { words: args.toSpliced(place, isInline ? 1 : 2), file };
}
