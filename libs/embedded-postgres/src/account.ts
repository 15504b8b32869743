import { existsSync, realpathSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Launch } from '@tetrad/server-process';
import { EmbeddedPostgresError } from './embedded-postgres-error.js';

/** The account that runs PostgreSQL's programs, which refuse to run as root. */
export interface Account {
  /** Set when this process is root: the owner of the cluster. */
  readonly owner?: { readonly uid: number; readonly gid: number };
  /** The command and options that run a program as this account. */
  readonly command: Launch;
}

/** Runs a program as another user with one of root's capabilities, for folders such as /root that other users cannot enter. */
const SETPRIV = ['/usr/bin/setpriv', '/bin/setpriv'];

/**
 * This process's own user; for root the owner of the existing cluster, else the first system account that exists.
 * @param folders - which the account must be able to enter
 * @throws EmbeddedPostgresError when root cannot run programs as another account
 */
export async function findAccount(cluster: string, folders: readonly string[]): Promise<Account> {
  if (process.getuid?.() !== 0) {
    return { command: (file, args) => ({ file, args: [...args], options: {} }) };
  }
  const owner = clusterOwner(cluster) ?? (await systemAccount());
  if (folders.every((folder) => mayEnter(realpathSync(folder), owner))) {
    return { owner, command: (file, args) => ({ file, args: [...args], options: { ...owner } }) };
  }
  const setpriv = SETPRIV.find((path) => existsSync(path));
  if (setpriv === undefined) {
    throw new EmbeddedPostgresError(
      `it cannot run as root, and user ${owner.uid} may not enter ${folders.join(' or ')}; ` +
        'run as an ordinary user, or give the URL of a database',
    );
  }
  // Another user with one capability of root's: to pass through folders that it may not enter. PostgreSQL looks for its own
  // programs with access(2), which ignores capabilities unless the process manages them itself.
  const wrapper = [
    `--reuid=${owner.uid}`,
    `--regid=${owner.gid}`,
    '--clear-groups',
    '--inh-caps=+dac_override',
    '--ambient-caps=+dac_override',
    '--securebits=+no_setuid_fixup',
    '--',
  ];
  return {
    owner,
    command: (file, args) => ({ file: setpriv, args: [...wrapper, file, ...args], options: {} }),
  };
}

type Owner = NonNullable<Account['owner']>;

function clusterOwner(cluster: string): Owner | undefined {
  const stats = statSync(cluster, { throwIfNoEntry: false });
  return stats === undefined || stats.uid === 0 ? undefined : { uid: stats.uid, gid: stats.gid };
}

/* eslint-disable tetrad/plain-words -- the name of the system's account */
/** The system's `postgres`, else `nobody`. */
async function systemAccount(): Promise<Owner> {
  const lines = (await readFile('/etc/passwd', 'utf8')).split('\n').map((line) => line.split(':'));
  const entry = ['postgres', 'nobody']
    .map((name) => lines.find((fields) => fields[0] === name))
    .find((fields) => fields !== undefined);
  if (entry === undefined) {
    throw new EmbeddedPostgresError(
      'it cannot run as root, and neither account "postgres" nor "nobody" exists',
    );
  }
  return { uid: Number(entry[2]), gid: Number(entry[3]) };
}
/* eslint-enable tetrad/plain-words */

function mayEnter(folder: string, { uid, gid }: Owner): boolean {
  const stats = statSync(folder, { throwIfNoEntry: false });
  const bit = stats?.uid === uid ? 0o100 : stats?.gid === gid ? 0o010 : 0o001;
  const open = stats === undefined || (stats.mode & bit) !== 0;
  return open && (dirname(folder) === folder || mayEnter(dirname(folder), { uid, gid }));
}
