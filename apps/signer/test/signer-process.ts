import { spawn } from 'node:child_process';
import { join } from 'node:path';

const MAIN = join(import.meta.dirname, '../bundle/main.js');

/** The compiled signer in a separate process. */
export interface SignerProcess {
  readonly pid: number;
  /** What it has written so far. */
  output(): { readonly stdout: string; readonly stderr: string };
  /** Resolves when it has ended by itself or was stopped. */
  readonly ended: Promise<{ readonly code: number | null; readonly stdout: string; readonly stderr: string }>;
  stop(): Promise<void>;
}

/** Runs it with the words and variables; nothing of the test's own environment is in it but PATH. */
export function runSigner(
  words: readonly string[],
  variables: Readonly<Record<string, string>> = {},
  cwd?: string,
): SignerProcess {
  const child = spawn(process.execPath, [MAIN, ...words], {
    cwd,
    env: { PATH: process.env['PATH'], ...variables },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  const ended = new Promise<{ code: number | null; stdout: string; stderr: string }>((done) =>
    child.once('close', (code) => done({ code, stdout, stderr })),
  );
  return {
    pid: child.pid ?? 0,
    output: () => ({ stdout, stderr }),
    ended,
    async stop() {
      child.kill('SIGTERM');
      await ended;
    },
  };
}
