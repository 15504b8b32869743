import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { readManifest, createDatabase } from '@tetrad/db';
import { startEmbeddedPostgres } from '@tetrad/embedded-postgres';
import { freePorts } from '@tetrad/testkit';
import { ServiceProcess } from '@tetrad/devnet/network/service-process';
import { askProgram } from '@tetrad/devnet/network/ask-program';
import { DATABASE_FLAGS, NODE_PART, PAYLOAD_PART, databasesOf, record, type Databases } from './backup.js';
import { readFlags, requireFlag } from './backup-options.js';
import { UsageError } from '@tetrad/devnet/usage-error';

type Flags = Partial<Record<'genesis-file' | 'genesis-rules' | 'key-files' | 'key-password-file', string>>;

/** The output of `node --verify`. */
interface Verified {
  readonly blocks: number;
  readonly head: string;
  readonly stateRoot: string;
  readonly privateStateRoot?: string;
}

/** `verify`: restores the backup into its own databases, executes all of it again, and compares with the manifest. */
export async function verify(args: readonly string[]): Promise<number> {
  const { from, ...flags } = readFlags(args, [
    'from',
    'genesis-file',
    'genesis-rules',
    'key-files',
    'key-password-file',
    'record',
    ...DATABASE_FLAGS,
  ] as const);
  const { record: recording = 'false' } = flags;
  if (recording !== 'true' && recording !== 'false') throw new UsageError('--record: is true or false');
  const folder = resolve(requireFlag(from, 'from'));
  requireFlag(flags['genesis-file'], 'genesis-file');
  const { facts } = await readManifest(join(folder, NODE_PART), 'node');
  const scratch = await mkdtemp(join(tmpdir(), 'tetrad-verify-'));
  try {
    const verified = await verifyIn(scratch, folder, flags);
    for (const [name, found] of [
      ['height', verified.blocks],
      ['hash', verified.head],
      ['stateRoot', verified.stateRoot],
      ...(verified.privateStateRoot === undefined
        ? []
        : [['privateStateRoot', verified.privateStateRoot] as const]),
    ] as const)
      if (facts[name] !== found)
        throw new Error(`${name}: the backup says ${facts[name]}, execution gives ${found}`);
    console.log(JSON.stringify({ verified: true, ...verified }));
    if (recording === 'true') await recordVerification(folder, await databasesOf(flags), verified);
    return 0;
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

/** Payloads were read only where private state was verified. */
async function recordVerification(folder: string, databases: Databases, verified: Verified): Promise<void> {
  const hasManager = databases.hasManager && verified.privateStateRoot !== undefined;
  await record(folder, { ...databases, hasManager }, ['--verified', 'true']);
}

async function verifyIn(scratch: string, folder: string, flags: Flags): Promise<Verified> {
  const server = await startEmbeddedPostgres({ dataDir: join(scratch, 'postgres') });
  let manager: ServiceProcess | undefined;
  try {
    const url = (name: string) => createDatabase(server.url('postgres'), name);
    const environment = { TETRAD_NODE_DATABASE_URL: await url('node') };
    await askProgram(
      'node',
      ['restore', '--chain-only', 'true', '--from', join(folder, NODE_PART)],
      environment,
    );
    const [port, ops] = await twoPorts();
    if (flags['key-files'] !== undefined) {
      manager = await openManager({ scratch, folder, flags, port, ops, databaseUrl: await url('manager') });
      await manager.start();
    }
    const words = [
      '--verify',
      'true',
      '--data-dir',
      scratch,
      '--genesis-file',
      resolve(flags['genesis-file'] ?? ''),
      ...(flags['genesis-rules'] === undefined ? [] : ['--genesis-rules', flags['genesis-rules']]),
      ...(manager === undefined ? [] : ['--ptm-url', `http://127.0.0.1:${port}`]),
    ];
    return JSON.parse(await askProgram('node', words, environment)) as Verified;
  } finally {
    await manager?.stop();
    await server.stop();
  }
}

/** A manager for the payloads in the backup, which knows no peers. */
async function openManager(parts: {
  readonly scratch: string;
  readonly folder: string;
  readonly flags: Flags;
  readonly port: number;
  readonly ops: number;
  readonly databaseUrl: string;
}): Promise<ServiceProcess> {
  const { scratch, folder, flags, port, ops, databaseUrl } = parts;
  const environment = { TETRAD_TRANSACTION_MANAGER_DATABASE_URL: databaseUrl };
  const payloads = join(folder, PAYLOAD_PART);
  if (!existsSync(payloads)) throw new Error(`${folder} has no payloads: private state cannot be verified`);
  await askProgram('transaction-manager', ['restore', '--from', payloads], environment);
  // The backup has all that private state needs up to its height, or the comparison says that it has not.
  await askProgram('transaction-manager', ['declare-complete'], environment);
  const { 'key-files': keys = '', 'key-password-file': passwords } = flags;
  return new ServiceProcess({
    name: 'manager',
    program: 'transaction-manager',
    opsPort: ops,
    environment,
    logFile: join(scratch, 'manager.log'),
    args: [
      'serve',
      '--key-files',
      keys,
      '--peer-listen-port',
      '0',
      '--peer-discovery',
      'false',
      ...(passwords === undefined ? [] : ['--key-password-file', passwords]),
      '--http-listen-port',
      String(port),
      '--ops-listen-port',
      String(ops),
    ],
  });
}

async function twoPorts(): Promise<[number, number]> {
  const first = await freePorts(2);
  return [first, first + 1];
}
