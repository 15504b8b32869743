import { join } from 'node:path';
import { makeRunFolder } from './run-folder.mjs';

/** Names the folder in which test processes put all that they write, and the PostgreSQL servers that they start when a test needs one. */
export default async function setup() {
  const folder = await makeRunFolder();
  process.env.TETRAD_TEST_RUN_DIR = folder;
  process.env.TMPDIR = folder;
  process.env.TETRAD_CLUSTER_TEMPLATE = join(folder, 'cluster-template');
}
