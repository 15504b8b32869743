import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Metafile } from 'esbuild';
import { z } from 'zod';

/** The packages of a bundle. */
export interface BundledPackages {
  /** Names of those that it imports when it runs. */
  readonly imported: readonly string[];
  /** Folders from the root of those whose code it holds. */
  readonly contained: readonly string[];
}

const schema = z.object({ imported: z.array(z.string()), contained: z.array(z.string()) });

/** Name of the file beside a bundle that lists them. */
const FILE = 'packages.json';

/** @throws of the file system */
export async function writePackages(folder: string, packages: BundledPackages): Promise<void> {
  await writeFile(join(folder, FILE), `${JSON.stringify(packages, null, 2)}\n`);
}

/** @throws of the file system; ZodError for another file than `writePackages` writes */
export async function readPackages(folder: string): Promise<BundledPackages> {
  return schema.parse(JSON.parse(await readFile(join(folder, FILE), 'utf8')));
}

/** Folders of the packages of which a bundle holds code: not of those that it left out whole, nor those of this repository. */
export function containedPackages({ outputs }: Pick<Metafile, 'outputs'>): string[] {
  const paths = Object.values(outputs).flatMap(({ inputs }) =>
    Object.entries(inputs).flatMap(([path, { bytesInOutput }]) => (bytesInOutput > 0 ? [path] : [])),
  );
  const folders = paths.flatMap(
    (path) => /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(path)?.slice(0, 1) ?? [],
  );
  return [...new Set(folders)].sort();
}
