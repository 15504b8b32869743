import { describe, expect, it } from '@jest/globals';
import { changelogFaults, namedFaults, newestRelease, releaseFaults } from './release-check.js';
import { SERVICES } from './services.js';

const CHANGELOG = `# Changelog of the node

## 1.1.0 - 2026-11-24

- Raft.

## 1.0.0 - 2026-11-01

- First.
`;

describe('the check of a release', () => {
  it('accepts a changelog whose newest version is the one of the package', () => {
    expect(changelogFaults(CHANGELOG, '1.1.0')).toEqual([]);
    expect(newestRelease(CHANGELOG)).toEqual({ version: '1.1.0', date: '2026-11-24', notes: '- Raft.' });
  });

  it('names another version, what is not released, and a version without notes', () => {
    expect(changelogFaults(CHANGELOG, '1.2.0')).toEqual([
      'CHANGELOG.md: 1.1.0 comes first, and package.json has 1.2.0',
    ]);
    expect(changelogFaults(`## Unreleased\n\n- More.\n\n${CHANGELOG}`, '1.1.0')).toEqual([
      'CHANGELOG.md: no released version comes first',
    ]);
    expect(changelogFaults('## 1.0.0 - 2026-11-01\n', '1.0.0')).toEqual(['CHANGELOG.md: 1.0.0 has no notes']);
    expect(changelogFaults('', '1.0.0')).toEqual(['CHANGELOG.md: no released version comes first']);
  });

  it('names headings that no program can read', () => {
    expect(changelogFaults(`## v2\n${CHANGELOG}`, '1.1.0')).toEqual([
      'CHANGELOG.md: ## v2 is not "## VERSION - YYYY-MM-DD"',
    ]);
    expect(changelogFaults('## 1.0.0 - 2026-13-01\n\n- First.\n', '1.0.0')).toEqual([
      'CHANGELOG.md: 2026-13-01 is not a date',
    ]);
  });

  it('names files of another version', () => {
    const place = { path: 'Chart.yaml', named: (version: string) => `\nappVersion: ${version}\n` };
    expect(namedFaults(place, 'name: x\nappVersion: 1.1.0\n', '1.1.0')).toEqual([]);
    for (const text of ['name: x\nappVersion: 1.1.0-rc\n', 'version: 1.1.0\n'])
      expect(namedFaults(place, text, '1.1.0')).toEqual([
        'Chart.yaml is not of version 1.1.0, which package.json has',
      ]);
  });

  it.each(SERVICES)('finds a changelog, and the version in the files of the service %s', async (service) => {
    const faults = await releaseFaults(service);
    // Between releases the newest heading may be "Unreleased".
    expect(faults.filter((fault) => !fault.endsWith('no released version comes first'))).toEqual([]);
  });
});
