import {
  accessSync,
  chownSync,
  constants,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
  chmodSync,
} from 'node:fs';
import { createConnection } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, isAbsolute, join } from 'node:path';
import { startGuarded, type Launch } from '@tetrad/server-process';
import { freePort } from './free-ports.js';
import { until } from './until.js';

/** PgBouncer in front of a server. */
export interface PgBouncer {
  /** The URL of the server, through PgBouncer. */
  through(url: string): string;
  stop(): Promise<void>;
}

export interface PgBouncerOptions {
  /** URL of the server; its user is one of PgBouncer's. */
  readonly serverUrl: string;
  readonly poolMode: 'session' | 'transaction' | 'statement';
  /** Further users that may connect: names and passwords. */
  readonly users?: Readonly<Record<string, string>>;
  /** Further settings, as lines of its file. */
  readonly settings?: readonly string[];
}

/** Path of PgBouncer on this host; undefined, with a line on standard error, when it is not installed. */
export function findPgBouncer(): string | undefined {
  const folders = [
    ...(process.env['PATH'] ?? '').split(delimiter).filter(isAbsolute),
    '/usr/sbin',
    '/usr/bin',
  ];
  const path = folders.map((folder) => join(folder, 'pgbouncer')).find(isExecutable);
  if (path === undefined)
    process.stderr.write(
      'SKIPPED tests with PgBouncer: it is not installed on this host (Debian: apt-get install pgbouncer)\n',
    );
  return path;
}

export async function startPgBouncer(program: string, options: PgBouncerOptions): Promise<PgBouncer> {
  const server = new URL(options.serverUrl);
  const folder = mkdtempSync(join(tmpdir(), 'tetrad-pgbouncer-'));
  const users = {
    [decodeURIComponent(server.username)]: decodeURIComponent(server.password),
    ...options.users,
  };
  const port = await freePort();
  const files = { settings: join(folder, 'pgbouncer.ini'), users: join(folder, 'users.txt') };
  writeFileSync(
    files.users,
    Object.entries(users)
      .map(([name, password]) => `"${name}" "${password}"\n`)
      .join(''),
  );
  writeFileSync(files.settings, settingsText(server, files.users, port, options));
  const account = accountFor([folder, ...Object.values(files)]);
  const launch: Launch = (file, args) => ({ file, args, options: account ?? {} });
  const logFile = join(folder, 'log');
  const running = startGuarded({ program, args: [files.settings], logFile, lastSignal: 'INT' }, launch);
  await until(async () => {
    if (running.hasExited()) throw new Error(`pgbouncer ended: ${readFileSync(logFile, 'utf8')}`);
    return accepts(port);
  });
  return {
    through(url) {
      const changed = new URL(url);
      changed.host = `127.0.0.1:${port}`;
      return changed.href;
    },
    async stop() {
      await running.stop(0, async () => {
        const pid = await running.pid;
        if (pid !== undefined) process.kill(pid, 'SIGKILL');
      });
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function settingsText(server: URL, usersFile: string, port: number, options: PgBouncerOptions): string {
  return [
    '[databases]',
    `* = host=${server.hostname} port=${server.port}`,
    '[pgbouncer]',
    'listen_addr = 127.0.0.1',
    `listen_port = ${port}`,
    'unix_socket_dir =',
    'auth_type = scram-sha-256',
    `auth_file = ${usersFile}`,
    `pool_mode = ${options.poolMode}`,
    'default_pool_size = 40',
    ...(options.settings ?? []),
    '',
  ].join('\n');
}

/** PgBouncer does not run as root. The files become those of the account. */
function accountFor(paths: readonly string[]): { readonly uid: number; readonly gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  // 65534 is the account without rights on Debian, Fedora and Alpine.
  const account = { uid: 65_534, gid: 65_534 };
  for (const path of paths) {
    chownSync(path, account.uid, account.gid);
    chmodSync(path, 0o700);
  }
  return account;
}

function accepts(port: number): Promise<boolean> {
  return new Promise((done) => {
    const socket = createConnection({ host: '127.0.0.1', port });
    socket.once('connect', () => done(true)).once('error', () => done(false));
    socket.once('connect', () => socket.destroy());
  });
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
