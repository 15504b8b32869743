import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';

const program = join(import.meta.dirname, '../../../docker/build');
const folders: string[] = [];
afterAll(() => folders.forEach((folder) => rmSync(folder, { recursive: true })));

/** A folder with programs of these names, which print how they were called and end with the code. */
function programs(codes: Readonly<Record<string, number>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'image-engine-'));
  folders.push(folder);
  for (const tool of ['bash', 'dirname', 'timeout', 'sed'])
    symlinkSync(spawnSync('which', [tool], { encoding: 'utf8' }).stdout.trim(), join(folder, tool));
  for (const [name, code] of Object.entries(codes)) {
    writeFileSync(join(folder, name), `#!/bin/bash\necho "${name} $*"\nexit ${code}\n`);
    chmodSync(join(folder, name), 0o755);
  }
  return folder;
}

function build(path: string, words: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const { status, stdout, stderr } = spawnSync('/bin/bash', [program, ...words], {
    env: { PATH: path, ...env },
    encoding: 'utf8',
  });
  return { status, out: stdout.trim(), error: stderr.trim() };
}

const WORDS = 'build --file docker/wallet/Dockerfile --tag tetrad/wallet';

describe('docker/build', () => {
  it.each([
    ['Docker', { docker: 0, podman: 0, buildah: 0 }, `docker ${WORDS} --network host .`],
    [
      'Podman where no daemon answers',
      { docker: 1, podman: 0, buildah: 0 },
      `podman ${WORDS} --format docker --network host .`,
    ],
    ['Buildah alone', { buildah: 0 }, `buildah ${WORDS} --format docker --network host .`],
  ])('builds with %s', (_engine, codes, out) => {
    expect(build(programs(codes), ['wallet', '--network', 'host'])).toEqual({ status: 0, out, error: '' });
  });

  it('builds with the engine that is named', () => {
    const named = build(programs({ docker: 0, buildah: 0 }), ['wallet'], { TETRAD_IMAGE_ENGINE: 'buildah' });
    expect(named.out).toBe(`buildah ${WORDS} --format docker .`);
  });

  it.each([
    [[], {}, /^docker\/build: name one of these services: console node rollup-operator signer /],
    [['../node'], {}, /name one of these services/],
    [['wallet'], {}, /no daemon of Docker answers, and neither Podman nor Buildah is installed$/],
    [
      ['wallet'],
      { TETRAD_IMAGE_ENGINE: 'rkt' },
      /TETRAD_IMAGE_ENGINE must be docker, podman or buildah, not rkt$/,
    ],
  ])('refuses %j %j', (words, env, message) => {
    const { status, error } = build(programs({}), words, env);
    expect(status).toBe(2);
    expect(error).toMatch(message);
  });
});
