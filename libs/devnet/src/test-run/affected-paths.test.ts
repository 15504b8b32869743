import { describe, expect, it } from '@jest/globals';
import { pathsAffectedBy } from './affected-paths.js';

describe('the folders that a change affects', () => {
  it('are the package, the packages that depend on it, and tests of the repository', async () => {
    const paths = await pathsAffectedBy(['libs/node/chain/simulation/src/index.ts']);
    expect(paths).toEqual(
      expect.arrayContaining(['libs/node/chain/simulation/', 'apps/node/', 'test/architecture']),
    );
    expect(paths).not.toContain('libs/node/chain/evm/');
    expect(paths).not.toContain('test/readme');
  });

  it('include the demonstration for what it is made of', async () => {
    expect(await pathsAffectedBy(['README.md'])).toEqual(['test/architecture', 'test/readme']);
  });

  it('are those of all packages for what all tests use', async () => {
    const paths = await pathsAffectedBy(['jest.config.mjs']);
    expect(paths).toEqual(expect.arrayContaining(['libs/rlp/', 'apps/node/', 'apps/wallet/']));
  });
});
