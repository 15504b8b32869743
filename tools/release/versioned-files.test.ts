import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { versionedFiles } from './versioned-files.mjs';

const root = join(import.meta.dirname, '../..');

/** The files of this repository; of a service between releases, so that its changelog has something unreleased. */
function read(path: string): string | null {
  try {
    const text = readFileSync(join(root, path), 'utf8');
    const isReleased = path.endsWith('CHANGELOG.md') && !text.includes('\n## Unreleased\n');
    return isReleased ? text.replace('\n## ', '\n## Unreleased\n\n- More.\n\n## ') : text;
  } catch {
    return null;
  }
}

const SERVICES = ['console', 'node', 'rollup-operator', 'signer', 'transaction-manager', 'wallet'];
const release = { version: '7.8.9', date: '2027-01-02', read, bumpsChart: true };

describe('a release of a service', () => {
  it.each(SERVICES)(
    'of %s puts its version into each file that names it, and changes nothing else',
    (service) => {
      const files = versionedFiles({ ...release, service });
      expect(files.map(({ path }) => path)).toEqual(
        expect.arrayContaining([`apps/${service}/package.json`, `docker/${service}/Dockerfile`]),
      );
      for (const { path, content } of files) {
        const before = new Set(read(path)?.split('\n'));
        const changed = content.split('\n').filter((line) => !before.has(line));
        expect({ path, changed: changed.length }).toEqual({
          path,
          changed: path.endsWith('.yaml') ? changed.length : 1,
        });
        expect({ path, line: changed.some((line) => line.includes('7.8.9')) }).toEqual({ path, line: true });
      }
    },
  );

  it('gives the chart its next version once for all services of a release', () => {
    const chart = (bumpsChart: boolean) =>
      versionedFiles({ ...release, service: 'signer', bumpsChart }).find(({ path }) =>
        path.endsWith('Chart.yaml'),
      )?.content;
    const version = (text = '') => /^version: (.*)$/m.exec(text)?.[1];
    const before = version(read('docker/charts/tetrad/Chart.yaml') ?? '');
    expect(version(chart(false))).toBe(before);
    expect(version(chart(true))).not.toBe(before);
    expect(chart(true)).toContain('\n  tetrad/signer: 7.8.9\n');
  });

  it('names the file that is not as it should be', () => {
    const without = (missing: string) => (path: string) => (path === missing ? '# nothing\n' : read(path));
    expect(() =>
      versionedFiles({ ...release, service: 'wallet', read: without('apps/wallet/CHANGELOG.md') }),
    ).toThrow('apps/wallet/CHANGELOG.md has nothing that matches /^## Unreleased$/m');
    expect(() => versionedFiles({ ...release, service: 'other' })).toThrow(
      'apps/other/package.json does not exist',
    );
  });
});
