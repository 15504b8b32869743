import { defineOptions, option, type ConfigOf } from './define-options.js';
import { booleanOption, integerOption, pathOption, secretFileOption, urlOption } from './option-types.js';

/** The options for using a service's database; a URL with a password in it is not accepted as a flag. */
export const databaseOptions = defineOptions({
  databaseUrl: option(urlOption('postgresql', 'postgres'), {
    group: 'Database',
    description:
      'URL of the PostgreSQL database; default: an embedded one in the data directory. Must not contain a password when given as a flag.',
    isSecret: (url) => url.password !== '',
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
  if (config.databaseUrl === undefined) return undefined;
  const url = new URL(config.databaseUrl);
  if (config.databasePasswordFile !== undefined) {
    url.password = encodeURIComponent(config.databasePasswordFile.reveal());
  }
  return url.href;
}
