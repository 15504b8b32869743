import { relative, sep } from 'node:path';
import { isForPlatform, type Platform } from './platform-binaries.js';

/** What packages publish beside the code that runs. */
const TEST_FOLDERS: readonly string[] = ['test', 'tests', '__tests__'];

/**
 * Whether an image holds a file or folder of a package: not source maps, tests and the binaries of other platforms. What npm
 * nested below the package is in the list of packages by itself, if it is needed.
 * @param folder - of the package
 * @param path - in the package
 * @param platform - of the image
 */
export function isNeededInImage(folder: string, path: string, platform: Platform): boolean {
  const [top = ''] = relative(folder, path).split(sep);
  if (top === 'node_modules' || TEST_FOLDERS.includes(top)) return false;
  return !/\.(map|test\.[cm]?js)$/.test(path) && isForPlatform(folder, path, platform);
}
