import { spawn } from 'node:child_process';
import { basename } from 'node:path';
import type { Launch } from '@tetrad/server-process';
import { EmbeddedPostgresError } from './embedded-postgres-error.js';

/**
 * Runs a program in the root folder.
 * @param input - for its standard input
 * @returns its exit code, and what it wrote to both outputs
 * @throws EmbeddedPostgresError when it does not start
 */
export function runToEnd(
  { file, args, options }: ReturnType<Launch>,
  input = '',
): Promise<{ readonly code: number | null; readonly output: string }> {
  return new Promise((done, fail) => {
    const child = spawn(file, args, { ...options, cwd: '/', stdio: 'pipe' });
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
    child.on('error', (error) =>
      fail(new EmbeddedPostgresError(`${basename(file)} does not start: ${error.message}`)),
    );
    child.on('close', (code) => done({ code, output }));
    // One that has ended reads nothing more; its code and its output say why.
    child.stdin.on('error', () => undefined);
    child.stdin.end(input);
  });
}
