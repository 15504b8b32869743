import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { layOutClientPackage } from '@tetrad/bundle';

const root = join(import.meta.dirname, '../../..');

/**
 * The package of the client as npm publishes it.
 *
 * @param folder - where to; empty
 * @returns the file
 */
export async function packClient(folder: string): Promise<string> {
  await layOutClientPackage(join(folder, 'package'));
  const packed = execFileSync('npm', ['pack', '--json', '--pack-destination', folder], {
    cwd: join(folder, 'package'),
    encoding: 'utf8',
  });
  const [{ filename = '' } = {}] = JSON.parse(packed) as { filename?: string }[];
  return join(folder, filename);
}

/**
 * An application with the package of the client, packed and unpacked as npm does it, and its peers.
 *
 * @param folder - where to; empty
 * @returns the folder of the application
 */
export async function installPackedClient(folder: string): Promise<string> {
  const file = await packClient(folder);
  const application = join(folder, 'application');
  const scope = join(application, 'node_modules/@tetrad');
  mkdirSync(scope, { recursive: true });
  execFileSync('tar', ['-xzf', file, '-C', scope]);
  execFileSync('mv', [join(scope, 'package'), join(scope, 'client')]);
  for (const name of ['viem', 'ethers'])
    symlinkSync(join(root, 'node_modules', name), join(application, 'node_modules', name));
  writeFileSync(join(application, 'package.json'), '{ "type": "module" }');
  return application;
}
