import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';
import { ROOT } from '../paths.js';

const run = promisify(execFile);
const MAX_OUTPUT_BYTES = 16 * 1024 * 1024;

/** Tests of the repository as a whole: quick, and about every source. */
const ARCHITECTURE = 'test/architecture';
/** The README's demonstration: minutes. */
const README = 'test/readme';
/** What the README's demonstration is made of. */
const DEMONSTRATION = /^(README\.md$|tetrad$|libs\/devnet\/|test\/readme\/)/;

const namesSchema = z.array(z.string());

/** The part of the file that `nx graph` writes which says where projects are. */
const graphSchema = z.looseObject({
  graph: z.looseObject({
    nodes: z.record(z.string(), z.looseObject({ data: z.looseObject({ root: z.string() }) })),
  }),
});

/**
 * Folders whose tests the changes since a revision may break.
 * @param revision - changes since then, committed or not; HEAD for the uncommitted ones
 * @returns paths from the root; empty when nothing changed
 * @throws Error when git or Nx fails, with what it wrote
 */
export async function affectedPaths(revision: string): Promise<readonly string[]> {
  const changed = await changedFiles(revision);
  return changed.length === 0 ? [] : pathsAffectedBy(changed);
}

/** Folders of the packages that `nx affected` names for these files, and of tests of the repository as a whole. */
export async function pathsAffectedBy(files: readonly string[]): Promise<readonly string[]> {
  const affected = await affectedProjects(files);
  const folders = affected.length === 0 ? new Map<string, string>() : await projectFolders();
  const packages = affected.flatMap((name) => folders.get(name) ?? []);
  const demonstration = files.some((file) => DEMONSTRATION.test(file)) ? [README] : [];
  return [...packages.map((folder) => `${folder}/`), ARCHITECTURE, ...demonstration];
}

async function changedFiles(revision: string): Promise<string[]> {
  const [tracked, untracked] = await Promise.all([
    linesOf('git', ['diff', '--name-only', revision]),
    linesOf('git', ['ls-files', '--others', '--exclude-standard']),
  ]);
  return [...tracked, ...untracked];
}

async function affectedProjects(files: readonly string[]): Promise<string[]> {
  const lines = await nx('show', 'projects', '--affected', '--json', `--files=${files.join(',')}`);
  return namesSchema.parse(JSON.parse(lines.join('')));
}

/** Folders of all projects from the root, by name. */
async function projectFolders(): Promise<ReadonlyMap<string, string>> {
  const folder = await mkdtemp(join(tmpdir(), 'tetrad-graph-'));
  try {
    const file = join(folder, 'graph.json');
    await nx('graph', `--file=${file}`);
    const { graph } = graphSchema.parse(JSON.parse(await readFile(file, 'utf8')));
    return new Map(Object.entries(graph.nodes).map(([name, { data }]) => [name, data.root]));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function nx(...args: readonly string[]): Promise<string[]> {
  return linesOf(process.execPath, [join(ROOT, 'node_modules/.bin/nx'), ...args]);
}

async function linesOf(command: string, args: readonly string[]): Promise<string[]> {
  const env = { ...process.env, NX_DAEMON: 'false', NX_ISOLATE_PLUGINS: 'false' };
  const { stdout } = await run(command, args, { cwd: ROOT, env, maxBuffer: MAX_OUTPUT_BYTES });
  return stdout.split('\n').filter((line) => line !== '');
}
