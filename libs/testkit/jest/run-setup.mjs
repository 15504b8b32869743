import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { makeRunFolder } from './run-folder.mjs';

const TRANSPILE = fileURLToPath(new URL('../../bundle/transpile.mjs', import.meta.url));

/**
 * Builds the sources that were changed, which test files import as they are built (`shared-modules.mjs`). Names the folder in which test
 * processes put all that they write, and the PostgreSQL servers that they start when a test needs one.
 */
export default async function setup() {
  execFileSync(process.execPath, [TRANSPILE], { stdio: 'inherit' });
  const folder = await makeRunFolder();
  process.env.TETRAD_TEST_RUN_DIR = folder;
  process.env.TMPDIR = folder;
  process.env.TETRAD_CLUSTER_TEMPLATE = join(folder, 'cluster-template');
}
