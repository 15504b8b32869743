import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { writeFolder } from '@tetrad/db';
import { ROOT } from '../paths.js';

const BUNDLE = join(ROOT, 'libs/bundle/dist/main.js');
const TEMPLATE = join(ROOT, 'libs/client/template');

const run = promisify(execFile);

/**
 * Writes an application of the TypeScript client to a new folder: a private token with its test, and the package of the client.
 *
 * @param folder - where to; it must not exist yet
 * @throws OperatorError when it exists
 */
export async function writeApp(folder: string): Promise<void> {
  await writeFolder(folder, async (draft) => {
    await cp(TEMPLATE, draft, { recursive: true });
    const client = await packClient(join(draft, 'vendor'));
    const manifest = await manifestOf(basename(folder), client);
    await writeFile(join(draft, 'package.json'), `${JSON.stringify(manifest, undefined, 2)}\n`);
    await writeFile(join(draft, '.gitignore'), 'node_modules/\nbuild/\nendpoints.json\n');
  });
}

/** Packs the client as npm publishes it. Returns the name of the file. */
async function packClient(folder: string): Promise<string> {
  const layout = await mkdtemp(join(tmpdir(), 'tetrad-new-app-'));
  try {
    await run(process.execPath, [BUNDLE, 'client', join(layout, 'package')]);
    await mkdir(folder);
    const { stdout } = await run('npm', ['pack', '--json', '--pack-destination', folder], {
      cwd: join(layout, 'package'),
    });
    const [packed] = JSON.parse(stdout) as { readonly filename: string }[];
    if (packed === undefined) throw new Error('npm packed no file');
    return packed.filename;
  } finally {
    await rm(layout, { recursive: true, force: true });
  }
}

/** With the versions that this repository is tested with. */
async function manifestOf(name: string, client: string): Promise<object> {
  const versionIn = async (path: string, dependency: string) => {
    const { dependencies } = JSON.parse(await readFile(join(ROOT, path, 'package.json'), 'utf8')) as {
      readonly dependencies: Readonly<Record<string, string>>;
    };
    return dependencies[dependency];
  };
  return {
    name: packageName(name),
    version: '0.1.0',
    private: true,
    type: 'module',
    engines: { node: '>=20.19' },
    scripts: {
      build: 'node compile.mjs',
      start: 'npm run --silent build && node src/main.mjs',
      test: 'npm run --silent build && node --test test/*.test.mjs',
    },
    dependencies: {
      '@tetrad/client': `file:vendor/${client}`,
      viem: await versionIn('libs/devnet', 'viem'),
    },
    devDependencies: { solc: await versionIn('libs/compilers', 'solc') },
  };
}

/** A name that npm takes, of the folder's. */
function packageName(folder: string): string {
  const words = folder.toLowerCase().match(/[a-z0-9]+/g) ?? ['private', 'token'];
  return words.join('-').slice(0, 100);
}
