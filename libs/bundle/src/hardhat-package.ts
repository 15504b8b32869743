import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { layOutModules } from './client-package.js';
import { ROOT } from './services.js';

const PLUGIN = join(ROOT, 'libs/hardhat');

/** What `package.json` of the plugin says in the repository, as far as the package has it. */
interface PluginManifest {
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly license: string;
  readonly peerDependencies: Readonly<Record<string, string>>;
}

/**
 * Lays out the npm package of the plugin of Hardhat.
 *
 * @param folder - where to; what is there is removed
 */
export async function layOutHardhatPackage(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const dist = join(folder, 'dist');
  await layOutModules(PLUGIN, dist);
  await cp(join(PLUGIN, 'type-extensions.d.ts'), join(dist, 'type-extensions.d.ts'));
  const index = join(dist, 'index.d.ts');
  await writeFile(index, `import './type-extensions.js';\n${await readFile(index, 'utf8')}`);
  const manifest = JSON.parse(await readFile(join(PLUGIN, 'package.json'), 'utf8')) as PluginManifest;
  await writeFile(join(folder, 'package.json'), `${JSON.stringify(published(manifest), undefined, 2)}\n`);
  await cp(join(PLUGIN, 'README.md'), join(folder, 'README.md'));
  await cp(join(ROOT, 'LICENSE'), join(folder, 'LICENSE'));
}

/** In the repository Hardhat is optional, since it is not installed there. */
function published({ name, version, description, license, peerDependencies }: PluginManifest): object {
  return {
    name,
    version,
    description,
    license,
    type: 'module',
    exports: { '.': { types: './dist/index.d.ts', default: './dist/index.js' } },
    files: ['dist'],
    peerDependencies,
  };
}
