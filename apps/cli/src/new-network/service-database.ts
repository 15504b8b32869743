import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { DatabaseUrl } from '@tetrad/db/database-url';

/** The database of a service on a PostgreSQL server, and the role of the same name that owns it. */
export interface ServiceDatabase {
  readonly name: string;
  readonly password: string;
  /** Lines of the service's configuration file. */
  readonly lines: readonly string[];
}

/**
 * Names the database of a service, and writes its password, readable by the owner only, into the folder of the service.
 *
 * @param server the URL of the server, without user and database
 * @param place the name of the database, the folder, and the name of the password's file in it
 * @returns what the configuration file and `databases.sql` need
 */
export async function placeDatabase(
  server: DatabaseUrl,
  place: { readonly name: string; readonly folder: string; readonly passwordFile: string },
): Promise<ServiceDatabase> {
  const { name, folder, passwordFile } = place;
  // Base64url: neither SQL nor TOML has a special meaning for it.
  const password = randomBytes(24).toString('base64url');
  await writeFile(join(folder, passwordFile), `${password}\n`, { mode: 0o600 });
  const lines = [
    '',
    '# Its own database on your PostgreSQL, which databases.sql creates.',
    `database-url = ${JSON.stringify(server.withDatabase(name).href.replace('://', `://${name}@`))}`,
    `database-password-file = "${passwordFile}"`,
    '# Applies missing migrations at start; without it tetrad db migrate deploy does.',
    'migrate = true',
  ];
  return { name, password, lines };
}

/**
 * The statements that create roles and databases, one a line.
 *
 * @param databases of all services
 * @returns the text of `databases.sql`, a secret
 */
export function databasesSql(databases: readonly ServiceDatabase[]): string {
  const statements = databases.flatMap(({ name, password }) => [
    `CREATE ROLE ${name} LOGIN PASSWORD '${password}';`,
    `CREATE DATABASE ${name} OWNER ${name};`,
    `REVOKE ALL ON DATABASE ${name} FROM PUBLIC;`,
  ]);
  const title =
    '-- A secret, which holds passwords. Run it once, as an administrator of the server: psql --file databases.sql URL';
  return `${title}\n${statements.join('\n')}\n`;
}
