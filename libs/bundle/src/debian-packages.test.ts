import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { ROOT } from './services.js';

const STATUS = `Package: libc6
Status: install ok installed
Architecture: amd64
Version: 2.36-9+deb12u10
Description: GNU C Library
 Version: not this one

Package: gone
Status: deinstall ok config-files
Architecture: amd64
Version: 1

Package: libstdc++6
Status: install ok installed
Architecture: amd64
Version: 12.2.0-14
`;

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tetrad-debian-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function add(): Promise<{ readonly refs: readonly string[]; readonly stderr: string }> {
  const sbom = join(folder, 'sbom.json');
  const words = [join(ROOT, 'libs/bundle/debian-packages.mjs'), join(folder, 'status'), sbom];
  const { stderr } = await promisify(execFile)(process.execPath, words);
  const { components } = JSON.parse(await readFile(sbom, 'utf8')) as { components: { purl: string }[] };
  return { refs: components.map(({ purl }) => purl), stderr };
}

it("a bill of materials gets Debian's installed packages and Node.js, once", async () => {
  await writeFile(join(folder, 'sbom.json'), JSON.stringify({ components: [{ purl: 'pkg:npm/pg@1' }] }));
  const node = `pkg:generic/node@${process.versions.node}`;
  const bare = await add();
  expect(bare.refs).toEqual(['pkg:npm/pg@1', node]);
  expect(bare.stderr).toContain('lists no packages of Debian');
  await writeFile(join(folder, 'status'), STATUS);
  for (let times = 0; times < 2; times += 1)
    expect(await add()).toEqual({
      refs: [
        'pkg:npm/pg@1',
        node,
        'pkg:deb/debian/libc6@2.36-9%2Bdeb12u10?arch=amd64',
        'pkg:deb/debian/libstdc%2B%2B6@12.2.0-14?arch=amd64',
      ],
      stderr: '',
    });
});
