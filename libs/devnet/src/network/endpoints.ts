import { access, constants, readFile, rm, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { describeFileError, writeWhole } from '@tetrad/files';
import { isRunning } from '@tetrad/testkit';
import { withoutByteOrderMark, type Address } from '@tetrad/types';

/** The addresses of a network; scripts read this form. */
export interface Endpoints {
  readonly chainId: number;
  readonly nodes: readonly {
    readonly name: string;
    readonly rpc: string;
    readonly ws: string;
    readonly p2p: string | null;
    readonly ptm: string | null;
    readonly ptmKey: string | null;
    /** The port of the manager for applications; only where there is a manager. */
    readonly ptmThirdParty?: string;
    readonly enode: string;
    readonly address: Address;
    readonly accounts: readonly Address[];
    readonly pid: number;
  }[];
  readonly signer: { readonly rpc: string; readonly address: Address; readonly pid: number } | null;
  readonly rollup: {
    readonly rpc: string;
    readonly contract: Address;
    /** 64 bytes as hex. */
    readonly operatorKey: string;
    readonly pid: number;
  } | null;
  readonly wallet: { readonly rpc: string; readonly path: string; readonly pid: number } | null;
  /** Only of a network that has one: programs that know the form without it read all others as before. */
  readonly console?: { readonly url: string; readonly pid: number };
  readonly funded: readonly { readonly address: Address; readonly privateKey: string }[];
  readonly database: { readonly url: string };
}

/**
 * Reads the endpoints file of a network.
 *
 * @param path as `--endpoints-file` names it
 * @throws Error in words for the operator, when there is no file, or `up` did not write it
 */
export async function readEndpointsFile(path: string): Promise<Endpoints> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    const advice = error.code === 'ENOENT' ? '; a running ./tetrad up --endpoints-file FILE writes it' : '';
    // The error of a folder does not name it.
    const problem = describeFileError(Object.assign(error, { path })) ?? error.message;
    throw new Error(`--endpoints-file: ${problem}${advice}`, { cause: error });
  });
  const endpoints = parseEndpoints(text);
  if (endpoints === undefined)
    throw new Error(`--endpoints-file: ${path} is not a file that ./tetrad up --endpoints-file writes`);
  return endpoints;
}

/** @returns undefined when it does not name nodes and a database */
function parseEndpoints(text: string): Endpoints | undefined {
  let json: unknown;
  try {
    json = JSON.parse(withoutByteOrderMark(text));
  } catch {
    return undefined;
  }
  const { nodes, database } = (json ?? {}) as Partial<Record<keyof Endpoints, unknown>>;
  const { url } = (database ?? {}) as { readonly url?: unknown };
  return Array.isArray(nodes) && typeof url === 'string' ? (json as Endpoints) : undefined;
}

/**
 * Checks, before anything is started, that the file can be written.
 *
 * @param path as `--endpoints-file` names it
 * @throws Error in words for the operator
 */
export async function assertEndpointsWritable(path: string | undefined): Promise<void> {
  if (path === undefined) return;
  const folder = dirname(resolve(path));
  try {
    await access(folder, constants.W_OK);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const problem = code === 'ENOENT' ? 'does not exist' : 'cannot be written by this user';
    throw new Error(`--endpoints-file: the folder ${folder} ${problem}`, { cause: error });
  }
  const stats = await stat(resolve(path)).catch(() => undefined);
  if (stats?.isDirectory() === true) throw new Error(`--endpoints-file: ${path} is a folder, not a file`);
}

/** Writes the file atomically, readable by its owner only: it contains keys and passwords. */
export async function writeEndpointsFile(path: string, endpoints: Endpoints): Promise<void> {
  await writeWhole(path, textOf(endpoints), 0o600);
}

/** Removes the file when it describes this network; that of another network stays. */
export async function removeEndpointsFile(path: string, endpoints: Endpoints | undefined): Promise<void> {
  if (endpoints === undefined) return;
  const text = await readFile(path, 'utf8').catch(() => undefined);
  if (text === textOf(endpoints)) await rm(path, { force: true });
}

/** Removes the file of a network that was killed and has no process left. */
export async function dropStaleEndpoints(path: string | undefined): Promise<void> {
  if (path === undefined) return;
  const text = await readFile(path, 'utf8').catch(() => undefined);
  const pids = [...(text ?? '').matchAll(/"pid": (\d{1,10})\b/g)].map(([, pid]) => Number(pid));
  if (text !== undefined && !pids.some(isRunning)) await rm(path, { force: true });
}

function textOf(endpoints: Endpoints): string {
  return `${JSON.stringify(endpoints, null, 2)}\n`;
}
