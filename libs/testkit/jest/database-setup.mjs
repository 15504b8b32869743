import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Names the folder in which test processes put the PostgreSQL servers that they start when a test needs one. */
export default async function setup() {
  process.env.TETRAD_TEST_RUN_DIR = await mkdtemp(join(tmpdir(), 'tetrad-test-'));
}
