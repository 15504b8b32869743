import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startGuarded } from '@tetrad/server-process';
import { freePort } from './free-ports.js';
import { until } from './until.js';

/** Moto, which answers as AWS does. */
export interface Moto {
  readonly url: string;
  stop(): Promise<void>;
}

/** Where `.ci/install-moto` puts its Python. */
const PYTHON = join(
  process.env['TETRAD_MOTO_DIR'] ?? join(import.meta.dirname, '../../../.tetrad/moto'),
  'bin/python',
);
/** Moto itself hashes digests again, as its version 5.2.5 says in its source. */
const PROGRAM = join(import.meta.dirname, '../native/moto_digest.py');

/** The Python that has Moto on this host; undefined, with a line on standard error, when it is not installed. */
export function findMoto(): string | undefined {
  if (existsSync(PYTHON)) return PYTHON;
  process.stderr.write(
    'SKIPPED tests of keys in AWS KMS: Moto is not installed on this host (.ci/install-moto)\n',
  );
  return undefined;
}

/** @param python - of `findMoto` */
export async function startMoto(python: string): Promise<Moto> {
  const folder = await mkdtemp(join(tmpdir(), 'tetrad-moto-'));
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const logFile = join(folder, 'log');
  const args = [PROGRAM, '-H', '127.0.0.1', '-p', String(port)];
  const running = startGuarded({ program: python, args, logFile, lastSignal: 'KILL' });
  await until(async () => {
    if (running.hasExited()) throw new Error(`moto ${await running.exited}`);
    return (await fetch(`${url}/moto-api/data.json`).catch(() => undefined))?.ok === true;
  });
  return {
    url,
    async stop() {
      await running.stop(10_000, () => undefined);
      await rm(folder, { recursive: true, force: true });
    },
  };
}
