import type { Barretenberg } from '@aztec/bb.js';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { BbProcess, type BbProcessOptions } from './bb-process.js';
import { CircuitError } from './circuit-cache.js';

/**
 * Starts `bb` with the points of a folder, which it does not check. The library starts it only with a limit of five seconds, so
 * it is given a program that runs.
 *
 * @param folder - of the points; the socket is there too
 * @param threads - how many it may use; all cores by default
 * @param options - another program than that of this host, or another limit
 * @returns the library over it
 * @throws CircuitError when there is no `bb` for this host, or it does not start
 */
export async function startBb(
  folder: string,
  threads?: number,
  { program, startMs }: Partial<Pick<BbProcessOptions, 'program' | 'startMs'>> = {},
): Promise<Barretenberg> {
  const { Barretenberg } = await import('@aztec/bb.js');
  const bb = await BbProcess.start({ program: program ?? findBb(), folder, threads, startMs });
  return new Barretenberg(bb, {});
}

/**
 * The program of this host in the package of the prover library. The library by itself looks for it from a global
 * `__dirname`, which any other package may set.
 * @throws CircuitError when the package has no program for this host
 */
export function findBb(): string {
  const folder = FOLDERS[`${process.platform}-${process.arch}`];
  if (folder === undefined) throw new CircuitError(`no prover for ${process.platform} on ${process.arch}`);
  const entry = createRequire(import.meta.url).resolve('@aztec/bb.js');
  return join(dirname(entry), '..', '..', 'build', folder, 'bb');
}

const FOLDERS: Readonly<Record<string, string>> = {
  'linux-x64': 'amd64-linux',
  'linux-arm64': 'arm64-linux',
  'darwin-x64': 'amd64-macos',
  'darwin-arm64': 'arm64-macos',
};
