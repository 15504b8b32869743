import { existsSync } from 'node:fs';
import { chown, mkdtemp, rename, rm, stat, writeFile } from 'node:fs/promises';
import { EmbeddedPostgresError } from './embedded-postgres-error.js';
import { DATABASE_USER, runInitdb, type Programs } from './initdb.js';
import { runToEnd } from './run-to-end.js';

/**
 * Environment variable for runs of tests, which create a hundred clusters: a folder with a cluster that new ones are copies of,
 * each with a password of its own. The first process that needs it makes it; its parent exists. A copy takes a sixth of
 * the CPU time of initdb.
 */
export const CLUSTER_TEMPLATE = 'TETRAD_CLUSTER_TEMPLATE';

/** A test may start a server as another user, who cannot read the template. */
export async function mayCopy({ account }: Programs, template: string): Promise<boolean> {
  if (template === '') return false;
  const uid = account.owner?.uid ?? process.getuid?.();
  return !existsSync(template) || (await stat(template)).uid === uid;
}

/**
 * Fills an empty directory with a copy of the template, whose database user has another password.
 * @param password - hexadecimal
 * @throws EmbeddedPostgresError when the template cannot be made or copied
 */
export async function copyTemplate(
  programs: Programs,
  template: string,
  { draft, password }: { draft: string; password: string },
): Promise<void> {
  if (!existsSync(template)) await makeTemplate(programs, template);
  const { account, binaries } = programs;
  // The account can read its own files, and owns the copies.
  await run('the copy of a template', account.command('cp', ['-R', '-p', `${template}/.`, draft]));
  const single = account.command(binaries.postgres, [
    '--single',
    '-j',
    '-D',
    draft,
    '-c',
    'exit_on_error=on',
    'postgres',
  ]);
  const statement = `ALTER USER ${DATABASE_USER} PASSWORD '${password}';\n\n`;
  await run('a password', single, statement);
}

/** Under another name, so that an incomplete one is never seen. */
async function makeTemplate(programs: Programs, template: string): Promise<void> {
  const { owner } = programs.account;
  const draft = await mkdtemp(`${template}-`);
  const passwordFile = `${draft}.password`;
  await writeFile(passwordFile, 'of no cluster\n', { mode: 0o600 });
  if (owner !== undefined) for (const path of [draft, passwordFile]) await chown(path, owner.uid, owner.gid);
  await runInitdb(programs, draft, passwordFile);
  await rm(passwordFile);
  await rename(draft, template).catch(async (error: NodeJS.ErrnoException) => {
    // Another process made it meanwhile.
    if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error;
    await rm(draft, { recursive: true });
  });
}

async function run(what: string, launch: Parameters<typeof runToEnd>[0], input?: string): Promise<void> {
  const { code, output } = await runToEnd(launch, input);
  if (code !== 0) throw new EmbeddedPostgresError(`${what} failed: ${output.trim().split('\n').pop()}`);
}
