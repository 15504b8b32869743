import { fileURLToPath } from 'node:url';
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { freePorts, isServiceReady, startChildService, type ChildService } from '@tetrad/testkit';

const MAIN = fileURLToPath(new URL('../bundle/main.js', import.meta.url));

/** What one manager keeps across starts. */
export interface ManagerHome {
  readonly name: string;
  readonly folder: string;
  readonly databaseUrl: string;
  readonly keyFile: string;
  readonly passwordFile: string;
  readonly clientUrl: string;
  readonly opsUrl: string;
  readonly peerUrl: string;
  /** URL of another manager. */
  readonly peer: string | undefined;
}

/** Ports and options of a manager with the key files of that name. */
export async function managerHome(
  given: Pick<ManagerHome, 'name' | 'folder' | 'databaseUrl' | 'peer'>,
): Promise<ManagerHome> {
  const first = await freePorts(3);
  const [client, ops, peer] = [first, first + 1, first + 2];
  const at = (port: number) => `http://127.0.0.1:${port}`;
  return {
    ...given,
    clientUrl: at(client),
    opsUrl: at(ops),
    peerUrl: at(peer),
    keyFile: join(given.folder, `${given.name}.key`),
    passwordFile: join(given.folder, 'password'),
  };
}

function optionsOf(home: ManagerHome): string[] {
  const portOf = (url: string) => new URL(url).port;
  const options = {
    'key-files': home.keyFile,
    'key-password-file': home.passwordFile,
    'peer-interval': '200ms',
    'http-listen-port': portOf(home.clientUrl),
    'ops-listen-port': portOf(home.opsUrl),
    'peer-listen-port': portOf(home.peerUrl),
    ...(home.peer === undefined ? {} : { peers: home.peer }),
  };
  return Object.entries(options).flatMap(([name, value]) => [`--${name}`, value]);
}

function environmentOf({ databaseUrl }: ManagerHome): Record<string, string> {
  return { TETRAD_TRANSACTION_MANAGER_DATABASE_URL: databaseUrl };
}

/** Starts the process of a manager. */
export function startProcess(home: ManagerHome): Promise<ChildService> {
  return startChildService({
    name: home.name,
    command: process.execPath,
    args: [MAIN, 'serve', ...optionsOf(home)],
    environment: environmentOf(home),
    logFile: logOf(home),
    isReady: (pid) => isServiceReady(home.opsUrl, pid),
  });
}

export function logOf({ folder, name }: Pick<ManagerHome, 'folder' | 'name'>): string {
  return join(folder, `${name}.log`);
}

/** Runs a command until it ends. */
export function runCommand(
  words: readonly string[],
  home?: ManagerHome,
): Promise<{ readonly code: number | null; readonly output: string }> {
  const options = home === undefined ? [] : optionsOf(home);
  const child = spawn(process.execPath, [MAIN, ...words, ...options], {
    env: { ...process.env, ...(home === undefined ? {} : environmentOf(home)) },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  return new Promise((done) => child.once('close', (code) => done({ code, output })));
}
