import { execFile } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';
import { promisify } from 'node:util';
import { EmbeddedEtcdError } from './embedded-etcd-error.js';

/** Names in etcd of the processors on which 3.4 starts only with ETCD_UNSUPPORTED_ARCH. */
const PROCESSORS: Readonly<Record<string, string>> = { arm64: 'arm64', s390x: 's390x' };

/**
 * The environment of etcd and its tools: not this process's, from which they would take options (ETCD_NAME, …).
 *
 * Source: etcd v3.4, etcdmain/etcd.go, checkSupportArch
 */
export function etcdEnvironment(): Readonly<Record<string, string>> {
  const processor = PROCESSORS[process.arch];
  return {
    ETCDCTL_API: '3',
    ...(processor === undefined ? {} : { ETCD_UNSUPPORTED_ARCH: processor }),
  };
}

export interface Etcd {
  /** Absolute path of the program. */
  readonly path: string;
  /** As it reports it: `3.4.23`. */
  readonly version: string;
}

/** The first whose gateway serves `/v3/`. */
const OLDEST = [3, 4] as const;
const USUAL_FOLDERS = ['/usr/bin', '/usr/local/bin'];
const VERSION_TIMEOUT_MS = 60_000;

const PLACES = `neither on the PATH nor in ${USUAL_FOLDERS.join(' or ')}`;
const HOW_TO_GET = {
  etcd: `etcd is ${PLACES} (Debian: apt-get install etcd-server)`,
  etcdctl: `etcdctl is ${PLACES} (Debian: apt-get install etcd-client)`,
  both: `etcd and etcdctl are ${PLACES} (Debian: apt-get install etcd-server etcd-client)`,
};

/**
 * The etcd of this host: on the search path, in /usr/bin or in /usr/local/bin.
 * @param folders - to search instead
 * @returns undefined when etcd is not installed
 * @throws EmbeddedEtcdError when it is older than 3.4, or does not report its version
 */
export async function findEtcd(folders?: readonly string[]): Promise<Etcd | undefined> {
  const path = findProgram('etcd', folders);
  if (path === undefined) return undefined;
  const version = await versionOf(path);
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (major < OLDEST[0] || (major === OLDEST[0] && minor < OLDEST[1]))
    throw new EmbeddedEtcdError(`${path} is version ${version}; ${OLDEST.join('.')} or newer is needed`);
  return { path, version };
}

/**
 * As `findEtcd`.
 * @throws EmbeddedEtcdError that also says how to install it when it is missing
 */
export async function requireEtcd(): Promise<Etcd> {
  const etcd = await findEtcd();
  if (etcd === undefined) throw new EmbeddedEtcdError(HOW_TO_GET.etcd);
  return etcd;
}

/**
 * Path of the client, which takes snapshots and changes members.
 * @throws EmbeddedEtcdError that says how to install it
 */
export function requireEtcdctl(): string {
  const path = findProgram('etcdctl');
  if (path === undefined) throw new EmbeddedEtcdError(HOW_TO_GET.etcdctl);
  return path;
}

/**
 * Path of the program that restores snapshots: `etcdutl`, which comes with 3.5, before that `etcdctl`.
 * @throws as requireEtcdctl
 */
export function requireSnapshotTool(): string {
  return findProgram('etcdutl') ?? requireEtcdctl();
}

/**
 * What this host lacks for a cluster with snapshots, as one line for people.
 *
 * @param folders - to search instead of the usual ones
 * @returns undefined when it lacks nothing
 */
export async function lackingForEtcd(folders?: readonly string[]): Promise<string | undefined> {
  try {
    const hasClient = findProgram('etcdctl', folders) !== undefined;
    const hasServer = (await findEtcd(folders)) !== undefined;
    if (hasServer) return hasClient ? undefined : HOW_TO_GET.etcdctl;
    return hasClient ? HOW_TO_GET.etcd : HOW_TO_GET.both;
  } catch (error) {
    if (!(error instanceof EmbeddedEtcdError)) throw error;
    return error.message;
  }
}

function findProgram(name: string, folders: readonly string[] = searchedFolders()): string | undefined {
  return folders.map((folder) => join(folder, name)).find(isExecutable);
}

/** Folders of the search path first. A relative one is skipped, since it depends on the working directory. */
function searchedFolders(): readonly string[] {
  return [...(process.env['PATH'] ?? '').split(delimiter), ...USUAL_FOLDERS].filter((one) => isAbsolute(one));
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Its first line is `etcd Version: 3.4.23`. */
async function versionOf(path: string): Promise<string> {
  const options = { timeout: VERSION_TIMEOUT_MS, maxBuffer: 64 * 1024, env: etcdEnvironment() };
  const { stdout } = await promisify(execFile)(path, ['--version'], options).catch((error: Error) => {
    throw new EmbeddedEtcdError(`${path} --version: ${error.message.split('\n', 1)[0]}`);
  });
  const version = /^etcd Version: (\d+\.\d+\.\d+)/.exec(stdout)?.[1];
  if (version === undefined) throw new EmbeddedEtcdError(`${path} does not say its version`);
  return version;
}
