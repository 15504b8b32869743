import { spawn } from 'node:child_process';
import { join } from 'node:path';

/** The program behind `./tetrad`; the launcher itself would build first. */
export const MAIN = join(import.meta.dirname, '../../../apps/cli/bundle/main.js');

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs it to its end. */
export function runTetrad(
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<Ended> {
  const child = spawn(process.execPath, [MAIN, ...args], {
    env: { ...process.env, ...environment, NODE_OPTIONS: '' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  return new Promise((done, fail) => {
    child.once('error', fail);
    child.once('close', (code) => done({ code, stdout, stderr }));
  });
}
