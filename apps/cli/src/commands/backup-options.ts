import { parseArgs, type ParseArgsConfig } from 'node:util';
import { UsageError } from '@tetrad/devnet/usage-error';

const DATABASES = `The databases are those of TETRAD_NODE_DATABASE_URL and TETRAD_TRANSACTION_MANAGER_DATABASE_URL, or of the
configuration files:
  --node-config FILE      TOML file of the node
  --manager-config FILE   TOML file of its transaction manager; without it and without its URL payloads are left out`;

export const BACKUP_USAGE = `  --out DIR               new folder that gets the backup
  --endpoints-file FILE   of ./tetrad up: takes the databases of a node of that network
  --node NAME             which one (default: node0)

${DATABASES}

Node and manager may be running, and show the age of the backup as a metric. Payloads stay encrypted, and the keys of the manager are not in the backup: keep
them elsewhere. Private state is in it as it is in the database, not encrypted: keep the folder as you keep that.`;

export const RESTORE_USAGE = `  --from DIR              folder that holds the backup
  --part node|payloads    one of the two only

${DATABASES}

Both databases must be empty, and nothing may run on them. Each is restored whole or not at all. Afterwards
transaction-manager recover fetches the payloads that came after the backup, and then the node is started.`;

export const VERIFY_USAGE = `  --from DIR              folder that holds the backup
  --genesis-file FILE     genesis.json of the chain
  --genesis-rules NAME    tetrad or goquorum, for a file that does not say it itself
  --key-files FILES       private keys of the manager, for private state
  --key-password-file F   their passwords
  --record true           records the verification in the databases of the running services, which show its age; they are
                          named as for backup: --endpoints-file and --node, --node-config and --manager-config, or variables

Runs on an embedded PostgreSQL of its own, which goes afterwards.`;

/**
 * Reads flags that each have a value.
 * @throws UsageError naming the option
 */
export function readFlags<Name extends string>(
  args: readonly string[],
  names: readonly Name[],
): Partial<Record<Name, string>> {
  const options: NonNullable<ParseArgsConfig['options']> = Object.fromEntries(
    names.map((name) => [name, { type: 'string', multiple: true }] as const),
  );
  let values: ReturnType<typeof parseArgs>['values'];
  try {
    ({ values } = parseArgs({ args: [...args], options, strict: true }));
  } catch (error) {
    throw new UsageError((error as Error).message.split('\n')[0]);
  }
  const entries = Object.entries(values).map(([name, given]) => {
    const [value, ...more] = given as string[];
    if (more.length > 0) throw new UsageError(`--${name}: given twice`);
    if (value === undefined || value === '') throw new UsageError(`--${name}: needs a value`);
    return [name, value] as const;
  });
  return Object.fromEntries(entries) as Partial<Record<Name, string>>;
}

/** @throws UsageError when the flag is not given */
export function requireFlag(value: string | undefined, name: string): string {
  if (value === undefined) throw new UsageError(`--${name} is required`);
  return value;
}
