import {
  OptionError,
  booleanOption,
  choiceOption,
  defineOptions,
  option,
  pathOption,
  secretFileOption,
  urlOption,
  type ConfigOf,
  type ServiceEnvironment,
} from '@tetrad/service';
import { DIALECTS, importTessera, type TesseraSource } from '@tetrad/transaction-manager';
import { managerOptions } from './config.js';
import { openDatabase } from './database.js';
import { loadKeys } from './load-keys.js';

const SOURCE = 'Source';

/** Options of `transaction-manager import`. */
export const importOptions = defineOptions({
  ...managerOptions,
  fromDump: option(pathOption(), {
    group: SOURCE,
    description:
      'SQL dump of the database of a Tessera, compressed with gzip or not: of pg_dump (plain), mysqldump, mariadb-dump, SCRIPT of H2, or .dump of SQLite.',
  }),
  dialect: option(choiceOption(...DIALECTS), {
    group: SOURCE,
    description: 'The database that wrote the dump; recognized by its first lines when not given.',
  }),
  fromDatabaseUrl: option(urlOption('postgresql', 'postgres'), {
    group: SOURCE,
    description:
      'PostgreSQL database of a Tessera, which is only read. A URL with a password is not accepted as a flag.',
    isSecret: (url) => url.password !== '',
  }),
  fromDatabasePasswordFile: option(secretFileOption(), {
    group: SOURCE,
    description: 'Password of the user of that database.',
  }),
  fromManagerUrl: option(urlOption('http', 'https'), {
    group: SOURCE,
    description:
      'Peer port (P2P) of a running Tessera, with --hashes-file. It gives payloads without privacy flags only; take the others from its database, or by recover from peers.',
  }),
  hashesFile: option(pathOption(), {
    group: SOURCE,
    description: 'Hashes of the payloads to ask it for, one on each line, in base64 or hexadecimal.',
  }),
  dryRun: option(booleanOption(), {
    group: SOURCE,
    description: 'Check all records and store nothing.',
    default: false,
  }),
});

type ImportConfig = ConfigOf<typeof importOptions>;

/**
 * Imports from the source that the options name.
 * @returns a line of JSON for the operator; exit code 1 when records were left out
 * @throws OptionError, OperatorError that names the record and its field
 */
export async function importFromTessera(
  config: ImportConfig,
  environment: ServiceEnvironment,
): Promise<{ readonly line: string; readonly code: 0 | 1 }> {
  const source = sourceOf(config);
  const keys = await loadKeys(config);
  const { database, close } = await openDatabase({ ...config, migrate: true }, environment);
  try {
    const { logger } = environment;
    const result = await importTessera({ source, database, keys, logger, dryRun: config.dryRun });
    const leftOut = 'verified' in result ? 0 : result.foreign + (result.flagged ?? 0) + (result.missing ?? 0);
    return { line: JSON.stringify(result), code: leftOut === 0 ? 0 : 1 };
  } finally {
    await close();
  }
}

/** @throws OptionError unless there is exactly one source */
function sourceOf(config: ImportConfig): TesseraSource {
  const { fromDump, dialect, fromDatabaseUrl, fromManagerUrl, hashesFile } = config;
  const given = [fromDump, fromDatabaseUrl, fromManagerUrl].filter((source) => source !== undefined);
  if (given.length !== 1)
    throw new OptionError(
      '--from-dump',
      'give one of --from-dump, --from-database-url and --from-manager-url',
    );
  if ((fromManagerUrl === undefined) !== (hashesFile === undefined))
    throw new OptionError('--hashes-file', 'goes with --from-manager-url, which needs it');
  if (fromManagerUrl !== undefined && hashesFile !== undefined)
    return { managerUrl: fromManagerUrl.href, hashesFile };
  if (fromDump !== undefined) return { dump: fromDump, dialect };
  return { databaseUrl: tesseraDatabaseUrl(config) };
}

function tesseraDatabaseUrl({ fromDatabaseUrl, fromDatabasePasswordFile }: ImportConfig): string {
  const url = new URL(fromDatabaseUrl ?? 'postgres:');
  if (fromDatabasePasswordFile !== undefined)
    url.password = encodeURIComponent(fromDatabasePasswordFile.reveal());
  return url.href;
}
