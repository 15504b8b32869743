import { DatabaseUrl } from '@tetrad/db/database-url';
import { defineOptions, option, type ConfigOf } from './define-options.js';
import {
  booleanOption,
  integerOption,
  pathOption,
  secretFileOption,
  type OptionType,
} from './option-types.js';

/** The URL of a PostgreSQL database, with one host or several. */
export function databaseUrlOption(): OptionType<DatabaseUrl> {
  return {
    placeholder: 'URL',
    toml: 'string',
    parse: parseDatabaseUrl,
    format: (url) => url.href,
  };
}

function parseDatabaseUrl(text: string): DatabaseUrl {
  try {
    return DatabaseUrl.parse(text);
  } catch (error) {
    throw new RangeError((error as Error).message);
  }
}

/** The options for using a service's database; a URL with a password in it is not accepted as a flag. */
export const databaseOptions = defineOptions({
  databaseUrl: option(databaseUrlOption(), {
    group: 'Database',
    description:
      'URL of the PostgreSQL database, with several hosts separated by commas for failover; default: an embedded one in the data directory. Must not contain a password when given as a flag.',
    isSecret: (url) => url.password !== undefined,
  }),
  databasePasswordFile: option(secretFileOption(), {
    group: 'Database',
    description: 'Password of the database user.',
  }),
  databasePoolSize: option(integerOption({ min: 2, max: 500 }), {
    group: 'Database',
    description: 'Maximum number of database connections.',
    default: 10,
  }),
});

/** The options of the service that owns the database and its schema. */
export const ownDatabaseOptions = defineOptions({
  ...databaseOptions,
  migrate: option(booleanOption(), {
    group: 'Database',
    description:
      'Apply missing migrations to an external database at start; an embedded one is always migrated.',
    default: false,
  }),
});

/** The option `dataDir` of a service that stores only its database there. */
export function databaseFolderOption(defaultFolder: string, group = 'Database') {
  return option(pathOption('DIR'), {
    group,
    description: 'Folder of the embedded database, used without --database-url.',
    default: defaultFolder,
  });
}

/** The options of a service's own database, for `openServiceDatabase`. */
export function databaseSettingsOf(
  config: ConfigOf<typeof ownDatabaseOptions> & { readonly dataDir: string },
): DatabaseSettings {
  const { dataDir, migrate, databasePoolSize: poolSize } = config;
  return { url: databaseUrlOf(config), dataDir, migrate, poolSize };
}

export interface DatabaseSettings {
  /** Undefined when one is to be embedded in the folder. */
  readonly url: string | undefined;
  readonly dataDir: string;
  readonly migrate: boolean;
  readonly poolSize: number;
}

/** The connection URL with the password of its file; undefined when a database is to be embedded. */
export function databaseUrlOf(
  config: Pick<ConfigOf<typeof databaseOptions>, 'databasePasswordFile' | 'databaseUrl'>,
): string | undefined {
  const { databaseUrl: url, databasePasswordFile: password } = config;
  return (password === undefined ? url : url?.withPassword(password.reveal()))?.href;
}
