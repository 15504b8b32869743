import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { ROOT } from '@tetrad/devnet';

/**
 * Runs one file or folder of the test suite with more work than in the suite; failures are printed on the terminal.
 *
 * @param path of the file or folder, from the root of the repository
 * @param environment variables that set how much the test does
 * @returns whether it passed
 */
export function runSuite(path: string, environment: Readonly<Record<string, string>>): Promise<boolean> {
  const jest = join(ROOT, 'node_modules', 'jest', 'bin', 'jest.js');
  const child = spawn(process.execPath, ['--experimental-vm-modules', jest, path, '--maxWorkers=1'], {
    cwd: ROOT,
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  return new Promise((done, fail) => child.on('error', fail).on('exit', (code) => done(code === 0)));
}
