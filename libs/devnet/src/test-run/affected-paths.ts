import { execFile } from 'node:child_process';
import { realpath } from 'node:fs/promises';
import { join, relative } from 'node:path';
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

/**
 * Folders whose tests the changes since a revision may break.
 *
 * In:    revision — changes since then, committed or not; HEAD for the uncommitted ones
 * Out:   paths from the root; empty when nothing changed
 * Fails: Error when git or Nx fails, with what it wrote
 */
export async function affectedPaths(revision: string): Promise<readonly string[]> {
  const changed = await changedFiles(revision);
  return changed.length === 0 ? [] : pathsAffectedBy(changed);
}

/** Folders of the packages that `nx affected` names for these files, and of tests of the repository as a whole. */
export async function pathsAffectedBy(files: readonly string[]): Promise<readonly string[]> {
  const packages = await Promise.all((await affectedProjects(files)).map(folderOf));
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
  const nx = join(ROOT, 'node_modules/.bin/nx');
  const args = ['show', 'projects', '--affected', '--json', `--files=${files.join(',')}`];
  const lines = await linesOf(process.execPath, [nx, ...args]);
  return namesSchema.parse(JSON.parse(lines.join('')));
}

/** npm links each package of the workspace to its folder. */
async function folderOf(name: string): Promise<string> {
  return relative(ROOT, await realpath(join(ROOT, 'node_modules', name)));
}

async function linesOf(command: string, args: readonly string[]): Promise<string[]> {
  const env = { ...process.env, NX_DAEMON: 'false', NX_ISOLATE_PLUGINS: 'false' };
  const { stdout } = await run(command, args, { cwd: ROOT, env, maxBuffer: MAX_OUTPUT_BYTES });
  return stdout.split('\n').filter((line) => line !== '');
}
