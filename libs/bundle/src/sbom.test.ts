import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { sbomOf } from './sbom.js';

const SERVICE = { name: '@tetrad/app-wallet', version: '1.2.3' };

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tetrad-sbom-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function install(place: string, manifest: object): Promise<string> {
  const path = join(folder, place);
  await mkdir(path, { recursive: true });
  await writeFile(join(path, 'package.json'), JSON.stringify(manifest));
  return path;
}

describe('the bill of materials of an image', () => {
  it('names the service, and each package with its version, package URL and licence', async () => {
    const packages = [
      await install('b', { name: 'pg', version: '8.0.0', license: 'MIT' }),
      await install('a', { name: '@noble/curves', version: '2.0.0', license: { type: 'MIT' } }),
    ];
    expect(await sbomOf(SERVICE, packages)).toMatchObject({
      bomFormat: 'CycloneDX',
      metadata: { component: { type: 'application', purl: 'pkg:npm/%40tetrad/app-wallet@1.2.3' } },
      components: [
        { name: '@noble/curves', version: '2.0.0', purl: 'pkg:npm/%40noble/curves@2.0.0' },
        { name: 'pg', version: '8.0.0', purl: 'pkg:npm/pg@8.0.0', licenses: [{ expression: 'MIT' }] },
      ],
    });
  });

  it('knows the old way of packages to list licences that may be chosen from', async () => {
    const licenses = [{ type: 'MIT', url: 'https://example.com' }, { type: 'Apache-2.0' }];
    const { components } = await sbomOf(SERVICE, [
      await install('old', { name: 'old', version: '1.0.0', licenses }),
    ]);
    expect(components[0]?.licenses).toEqual([{ expression: 'MIT OR Apache-2.0' }]);
  });

  it('lists a version once, and two versions of a package apart', async () => {
    const packages = [
      await install('x', { name: 'pg', version: '8.0.0' }),
      await install('y/node_modules/x', { name: 'pg', version: '8.0.0' }),
      await install('z', { name: 'pg', version: '7.0.0' }),
    ];
    const { components } = await sbomOf(SERVICE, packages);
    expect(components.map(({ purl }) => purl)).toEqual(['pkg:npm/pg@7.0.0', 'pkg:npm/pg@8.0.0']);
  });

  it('is not made of a package without a version', async () => {
    await expect(sbomOf(SERVICE, [await install('x', { name: 'pg' })])).rejects.toThrow(/version/);
  });
});
