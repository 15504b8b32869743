import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { DRAFT_ENDING, writeFolder, withDatabaseName } from '@tetrad/db';
import { readEndpointsFile } from '@tetrad/devnet/network/endpoints';
import { UsageError } from '@tetrad/devnet/usage-error';
import { readFlags, requireFlag } from './backup-options.js';
import { askProgram } from '@tetrad/devnet/network/ask-program';

/** The parts of a backup, each a folder in it. */
export const NODE_PART = 'node';
export const PAYLOAD_PART = 'payloads';

const NODE_URL = 'TETRAD_NODE_DATABASE_URL';
const MANAGER_URL = 'TETRAD_TRANSACTION_MANAGER_DATABASE_URL';

/** How to find the databases of node and manager. */
export interface Databases {
  readonly environment: Readonly<Record<string, string>>;
  readonly nodeArgs: readonly string[];
  readonly managerArgs: readonly string[];
  readonly hasManager: boolean;
}

/**
 * `backup`: the node's part first. A payload is with its managers before the transaction is in a block, so the part that
 * is taken second contains everything that the first one refers to.
 */
export async function backup(args: readonly string[]): Promise<number> {
  const flags = readFlags(args, ['out', ...DATABASE_FLAGS]);
  const out = resolve(requireFlag(flags.out, 'out'));
  const databases = await databasesOf(flags);
  const { environment, nodeArgs, managerArgs, hasManager } = databases;
  await writeFolder(out, async (draft) => {
    const node = await askProgram(
      'node',
      ['backup', '--out', join(draft, NODE_PART), ...UNRECORDED, ...nodeArgs],
      environment,
    );
    console.log(`chain and private state  ${node}`);
    if (!hasManager) return;
    const words = ['backup', '--out', join(draft, PAYLOAD_PART), ...UNRECORDED, ...managerArgs];
    console.log(`payloads                 ${await askProgram('transaction-manager', words, environment)}`);
  });
  await record(out, databases).catch((error: Error) =>
    console.error(`the backup is not recorded in the database: ${error.message}`),
  );
  console.log(`${out}: private state in it is not encrypted; payloads are, and their keys are not in it`);
  return 0;
}

/** Until all parts are written, there is no backup. */
const UNRECORDED = ['--record', 'false'] as const;

/** Records in both databases, whose services show its age, that a backup was made, or verified. */
export async function record(
  folder: string,
  { environment, nodeArgs, managerArgs, hasManager }: Databases,
  event: readonly string[] = [],
): Promise<void> {
  const parts = [
    ['node', NODE_PART, nodeArgs] as const,
    ...(hasManager ? [['transaction-manager', PAYLOAD_PART, managerArgs] as const] : []),
  ];
  for (const [program, part, args] of parts)
    await askProgram(
      program,
      ['record-backup', '--from', join(folder, part), ...event, ...args],
      environment,
    );
}

/** `restore`: payloads first, so that a node that is started early finds them. */
export async function restore(args: readonly string[]): Promise<number> {
  const flags = readFlags(args, ['from', 'part', 'node-config', 'manager-config']);
  const from = resolve(requireFlag(flags.from, 'from'));
  const { part } = flags;
  if (from.endsWith(DRAFT_ENDING))
    throw new Error(`--from: ${from} is an incomplete backup; create it again`);
  if (part !== undefined && part !== NODE_PART && part !== PAYLOAD_PART)
    throw new UsageError(`--part: ${part} is neither ${NODE_PART} nor ${PAYLOAD_PART}`);
  if (!existsSync(from)) throw new Error(`--from: ${from}: there is no such folder, and so no backup`);
  const { nodeArgs, managerArgs, hasManager } = givenDatabases(flags);
  const hasPayloads = existsSync(join(from, PAYLOAD_PART));
  if (part === undefined && hasPayloads && !hasManager)
    throw new UsageError(
      `${from} has payloads: ${MANAGER_URL} or --manager-config is required, or --part ${NODE_PART}`,
    );
  if (part === PAYLOAD_PART || (part === undefined && hasPayloads)) {
    // An earlier attempt that was ended may have restored this part: only then does it go on to the other one.
    const resume = part === undefined ? ['--resume', 'true'] : [];
    const words = ['restore', '--from', join(from, PAYLOAD_PART), ...resume, ...managerArgs];
    console.log(`payloads                 ${await askProgram('transaction-manager', words)}`);
    console.log(
      'those that came after the backup are missing: run transaction-manager recover before the node',
    );
  }
  if (part === PAYLOAD_PART) return 0;
  const words = ['restore', '--from', join(from, NODE_PART), ...nodeArgs];
  const restored = askProgram('node', words).catch((error: Error) => {
    if (part === undefined && hasPayloads)
      console.error(`payloads are restored; go on with restore --part ${NODE_PART}`);
    throw error;
  });
  console.log(`chain and private state  ${await restored}`);
  return 0;
}

/** Flags of the commands that use the databases of a running node. */
export const DATABASE_FLAGS = ['endpoints-file', 'node', 'node-config', 'manager-config'] as const;

/**
 * The databases that flags or variables name.
 * @throws as `networkDatabases`
 */
export async function databasesOf(
  flags: Partial<Record<(typeof DATABASE_FLAGS)[number], string>>,
): Promise<Databases> {
  const { 'endpoints-file': file, node = 'node0' } = flags;
  return file === undefined ? givenDatabases(flags) : networkDatabases(file, node);
}

function givenDatabases(flags: { 'node-config'?: string; 'manager-config'?: string }): Databases {
  const { 'node-config': node, 'manager-config': manager } = flags;
  return {
    environment: {},
    nodeArgs: node === undefined ? [] : ['--config-file', node],
    managerArgs: manager === undefined ? [] : ['--config-file', manager],
    hasManager: manager !== undefined || process.env[MANAGER_URL] !== undefined,
  };
}

/**
 * The databases of a node of `./tetrad up`.
 * @throws Error when it has no node of the name, or there is no such file
 */
async function networkDatabases(file: string, name: string): Promise<Databases> {
  const endpoints = await readEndpointsFile(file);
  const index = endpoints.nodes.findIndex((node) => node.name === name);
  const node = endpoints.nodes[index];
  if (node === undefined) throw new Error(`--node: ${name} is not in ${file}`);
  const { url } = endpoints.database;
  return {
    environment: {
      [NODE_URL]: withDatabaseName(url, `tetrad_${name}`),
      [MANAGER_URL]: withDatabaseName(url, `tetrad_manager${index}`),
    },
    nodeArgs: [],
    managerArgs: [],
    hasManager: node.ptm !== null,
  };
}
