import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readFile, readdir, rm, stat, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT, serviceMain } from '../paths.js';

/** The bundles of an earlier commit, built beside this repository. */
export interface EarlierPrograms {
  /** Root folder of that commit's repository. */
  readonly root: string;
  /** The commit, in full. */
  readonly commit: string;
  remove(): Promise<void>;
}

/** The history does not have the commit: a shallow clone, as in CI, or a release without a history. */
export class UnknownCommitError extends Error {
  override readonly name = 'UnknownCommitError';
}

/**
 * Builds the programs of a commit with the build of that commit, and with the packages that are installed here.
 * @param revision - as git names it: a commit, a tag, `HEAD~50`
 * @throws UnknownCommitError; Error when the build of the commit fails, with its last lines
 */
export async function buildEarlier(revision: string): Promise<EarlierPrograms> {
  const commit = await resolveCommit(revision);
  const root = await mkdtemp(join(tmpdir(), 'tetrad-earlier-'));
  const remove = () => rm(root, { recursive: true, force: true });
  try {
    const archive = join(root, '.archive.tar');
    await run('git', ['archive', '--format=tar', `--output=${archive}`, commit], ROOT);
    await run('tar', ['-xf', archive, '-C', root], ROOT);
    await rm(archive);
    await linkPackages(root);
    await buildProgramsOf(root);
    await stat(serviceMain('node', root));
    return { root, commit, remove };
  } catch (error) {
    await remove();
    throw error;
  }
}

async function resolveCommit(revision: string): Promise<string> {
  const words = ['rev-parse', '--verify', '--quiet', '--end-of-options', `${revision}^{commit}`];
  const found = await run('git', words, ROOT).catch(() => '');
  if (found.trim() === '') throw new UnknownCommitError(`the history here has no ${revision}`);
  return found.trim();
}

/** Installed packages by links; those of the repository are the commit's. */
async function linkPackages(root: string): Promise<void> {
  const packages = join(root, 'node_modules');
  await mkdir(join(packages, '@tetrad'), { recursive: true });
  for (const name of await readdir(join(ROOT, 'node_modules')))
    if (name !== '@tetrad' && !name.startsWith('.'))
      await symlink(join(ROOT, 'node_modules', name), join(packages, name));
  await cp(join(ROOT, 'node_modules/.bin'), join(packages, '.bin'), {
    recursive: true,
    verbatimSymlinks: true,
  });
  for (const folder of await workspaces(root)) {
    const name = await packageName(folder);
    if (name?.startsWith('@tetrad/') === true) await symlink(folder, join(packages, name));
  }
}

async function workspaces(root: string): Promise<string[]> {
  const manifest = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { workspaces: string[] };
  const folders = manifest.workspaces.map(async (pattern) => {
    if (!pattern.endsWith('/*')) return [join(root, pattern)];
    const base = join(root, pattern.slice(0, -2));
    return (await readdir(base)).map((name) => join(base, name));
  });
  return (await Promise.all(folders)).flat();
}

async function packageName(folder: string): Promise<string | undefined> {
  const text = await readFile(join(folder, 'package.json'), 'utf8').catch(() => undefined);
  return text === undefined ? undefined : (JSON.parse(text) as { name?: string }).name;
}

/** Commits from before it are built by other programs, in minutes. */
const TRANSPILER = 'libs/bundle/transpile.mjs';
/** Programs that compile the contracts of nodes, one of which a commit has. */
const CONTRACT_COMPILERS = ['libs/compilers/dist/solidity/main.js', 'libs/solidity/dist/main.js'];

/**
 * What builds the services, without circuits, which only provers need; commits from before there was a script for programs alone
 * have its steps.
 */
async function buildProgramsOf(root: string): Promise<void> {
  const { scripts } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as {
    scripts: Readonly<Record<string, string>>;
  };
  if (!existsSync(join(root, TRANSPILER)))
    throw new Error(`the commit is from before ${TRANSPILER}, which builds it`);
  const has = scripts['build:programs'] !== undefined;
  await run('npm', ['run', '--silent', has ? 'build:programs' : 'generate'], root);
  const compiler = CONTRACT_COMPILERS.find((program) => existsSync(join(root, program)));
  if (compiler !== undefined) await run('node', [compiler], root);
  if (!has) await run('node', ['libs/bundle/dist/main.js', 'bundle'], root);
}

/**
 * @returns standard output
 * @throws Error with the last lines of what it wrote
 */
function run(command: string, words: readonly string[], cwd: string): Promise<string> {
  const child = spawn(command, words, {
    cwd,
    env: { ...process.env, NODE_OPTIONS: '' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [stdout, all] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => {
    stdout += chunk.toString();
    all = (all + chunk.toString()).slice(-2_000);
  });
  child.stderr.on('data', (chunk: Buffer) => (all = (all + chunk.toString()).slice(-2_000)));
  return new Promise((done, fail) => {
    child.once('error', fail);
    child.once('close', (code) =>
      code === 0 ? done(stdout) : fail(new Error(`${command} ${words[0] ?? ''} failed: ${all}`)),
    );
  });
}
