import { existsSync } from 'node:fs';
import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { THROW_AWAY_SETTINGS, startEmbeddedPostgres } from '@tetrad/embedded-postgres';

/**
 * URL of a PostgreSQL server for tests: that of TETRAD_TEST_DATABASE_URL, or an embedded one that every test process
 * starts when it first needs it. It ends with the process, or when the run's teardown removes its folder.
 */
export async function testServerUrl(): Promise<string> {
  const external = process.env['TETRAD_TEST_DATABASE_URL'];
  if (external !== undefined && external !== '') return external;
  const runDir = process.env['TETRAD_TEST_RUN_DIR'] ?? (await mkdtemp(join(tmpdir(), 'tetrad-test-')));
  process.env['TETRAD_TEST_RUN_DIR'] = runDir;
  const dataDir = join(runDir, `postgres-${process.pid}`);
  // Every test file has its own module registry; the file is what the files of one process share.
  const urlFile = join(runDir, `postgres-${process.pid}.url`);
  if (existsSync(urlFile)) return readFile(urlFile, 'utf8');
  const server = await startEmbeddedPostgres({ dataDir, settings: THROW_AWAY_SETTINGS, isKeptUp: false });
  const url = server.url('postgres');
  await writeFile(urlFile, url, { mode: 0o600 });
  return url;
}
