import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { isNeededInImage } from './image-files.js';
import { ROOT } from './services.js';

const folder = join(ROOT, 'node_modules/secp256k1');
const linux = { arch: 'x64', platform: 'linux' };
const isNeeded = (path: string) => isNeededInImage(folder, join(folder, path), linux);

describe('what an image holds of a package', () => {
  it.each([
    '',
    'package.json',
    'lib/index.js',
    'lib/test',
    'LICENSE',
    'prebuilds',
    'prebuilds/linux-x64/a.node',
  ])('its code: "%s"', (path) => {
    expect(isNeeded(path)).toBe(true);
  });

  it.each([
    'node_modules/bn.js',
    'lib/index.js.map',
    'test',
    'tests/a.js',
    '__tests__/a.js',
    'lib/a.test.js',
  ])('neither source maps nor tests, nor what is nested: "%s"', (path) => {
    expect(isNeeded(path)).toBe(false);
  });

  it.each(['prebuilds/win32-x64', 'prebuilds/darwin-arm64/a.node', 'prebuilds/linux-arm64'])(
    'no binaries of other platforms: "%s"',
    (path) => {
      expect(isNeeded(path)).toBe(false);
    },
  );
});
