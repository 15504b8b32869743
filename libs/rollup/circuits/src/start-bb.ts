import type { Barretenberg } from '@aztec/bb.js';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { CircuitError } from './circuit-cache.js';

/** One after the other: `bb` takes its folder from the environment only, which other children of this process have as well. */
let starting: Promise<unknown> = Promise.resolve();

/**
 * Starts `bb` with the points of a folder, which it does not check.
 *
 * In:    threads — how many it may use; all cores by default
 * Fails: CircuitError when there is no `bb` for this host; the library's error when it does not start
 */
export function startBb(folder: string, threads: number | undefined): Promise<Barretenberg> {
  const started = starting.then(() => start(folder, threads));
  starting = started.catch(() => undefined);
  return started;
}

async function start(folder: string, threads: number | undefined): Promise<Barretenberg> {
  const { Barretenberg, BackendType } = await import('@aztec/bb.js');
  const before = process.env['CRS_PATH'];
  process.env['CRS_PATH'] = folder;
  try {
    const backend = BackendType.NativeUnixSocket;
    return await Barretenberg.new({
      backend,
      bbPath: findBb(),
      ...(threads === undefined ? {} : { threads }),
    });
  } finally {
    if (before === undefined) delete process.env['CRS_PATH'];
    else process.env['CRS_PATH'] = before;
  }
}

/**
 * The program of this host in the package of the prover library. The library by itself looks for it from a global
 * `__dirname`, which any other package may set.
 *
 * Fails: CircuitError when the package has no program for this host
 */
function findBb(): string {
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
