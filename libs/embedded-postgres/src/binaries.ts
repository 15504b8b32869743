import { existsSync } from 'node:fs';
import { chmod, readFile, stat, symlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { EmbeddedPostgresError } from './embedded-postgres-error.js';

export interface Binaries {
  readonly initdb: string;
  readonly postgres: string;
}

const EXECUTABLE = 0o555;

/**
 * The server's programs of this platform's package, ready to run.
 * @throws EmbeddedPostgresError when npm has no package for the platform, or its folder cannot be completed
 */
export async function findBinaries(): Promise<Binaries> {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  let entry: string;
  try {
    entry = fileURLToPath(import.meta.resolve(name));
  } catch {
    throw new EmbeddedPostgresError(`no package for this platform (${name}); give the URL of a database`);
  }
  const native = join(dirname(entry), '..', 'native');
  await linkLibraries(native);
  return {
    initdb: await executable(join(native, 'bin', 'initdb')),
    postgres: await executable(join(native, 'bin', 'postgres')),
  };
}

/** Creates the links that npm cannot carry, as the package's install script would (docs/adr/0005). */
async function linkLibraries(native: string): Promise<void> {
  const list = join(native, 'pg-symlinks.json');
  if (!existsSync(list)) return;
  const links = JSON.parse(await readFile(list, 'utf8')) as { source: string; target: string }[];
  for (const { source, target } of links) {
    const link = join(native, '..', target);
    if (existsSync(link)) continue;
    await symlink(basename(source), link).catch((error: NodeJS.ErrnoException) => {
      // Another process created it meanwhile.
      if (error.code === 'EEXIST') return;
      throw new EmbeddedPostgresError(`cannot link its libraries: ${error.message}`);
    });
  }
}

async function executable(path: string): Promise<string> {
  const { mode } = await stat(path);
  if ((mode & EXECUTABLE) !== EXECUTABLE) await chmod(path, mode | EXECUTABLE);
  return path;
}
