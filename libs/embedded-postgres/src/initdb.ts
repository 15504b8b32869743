import type { Account } from './account.js';
import type { Binaries } from './binaries.js';
import { EmbeddedPostgresError } from './embedded-postgres-error.js';
import { runToEnd } from './run-to-end.js';

/** PostgreSQL's programs, and who runs them. */
export interface Programs {
  readonly binaries: Binaries;
  readonly account: Account;
}

/** The one user of a cluster. */
export const DATABASE_USER = 'tetrad';

/**
 * Fills an empty directory. The C locale sorts and compares the same on every host, whatever its system library.
 * @throws EmbeddedPostgresError with what it said
 */
export async function runInitdb(
  { binaries, account }: Programs,
  directory: string,
  passwordFile: string,
): Promise<void> {
  const { code, output } = await runToEnd(
    account.command(binaries.initdb, [
      `--pgdata=${directory}`,
      `--username=${DATABASE_USER}`,
      '--auth=scram-sha-256',
      `--pwfile=${passwordFile}`,
      '--encoding=UTF8',
      '--locale=C',
      '--no-instructions',
    ]),
  );
  if (code === 0) return;
  const lines = output.trim().split('\n');
  // Its last line only reports that it has removed the folder again.
  const telling = lines.find((line) => /^setpriv:|FATAL|PANIC|error:/i.test(line)) ?? lines.pop() ?? '';
  const advice = telling.startsWith('setpriv:')
    ? '; run as an ordinary user, or give the URL of a database'
    : '';
  throw new EmbeddedPostgresError(`initdb failed in ${directory}: ${telling}${advice}`);
}
