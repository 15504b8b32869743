import { readFile, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

const STOP_TIMEOUT_MS = 60_000;

/** Stops the servers of the run, says for which services a server of the tests took their place, and removes the folder. */
export default async function teardown() {
  const folder = process.env.TETRAD_TEST_RUN_DIR;
  for (const name of await readdir(folder)) await stopServer(join(folder, name, 'cluster'));
  await sayStandIns(join(folder, 'stand-ins'));
  // A process that is about to end may still write; a folder that cannot be removed does not fail the run.
  await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 }).catch((error) =>
    console.warn(`test databases are left in ${folder}: ${error.message}`),
  );
}

/** As `noteStandIn` of the testkit left them. */
async function sayStandIns(folder) {
  for (const name of await readdir(folder).catch(() => []))
    process.stderr.write(await readFile(join(folder, name), 'utf8'));
}

/** Their data is discarded, so the quickest shutdown suffices. */
async function stopServer(cluster) {
  const pidFile = join(cluster, 'postmaster.pid');
  const pid = Number((await readFile(pidFile, 'utf8').catch(() => '')).split('\n')[0]);
  const deadline = Date.now() + STOP_TIMEOUT_MS;
  if (pid > 0) signal(pid, 'SIGQUIT');
  while (pid > 0 && signal(pid, 0) && Date.now() < deadline)
    await new Promise((tick) => setTimeout(tick, 20));
}

function signal(pid, name) {
  try {
    process.kill(pid, name);
    return true;
  } catch {
    return false;
  }
}
