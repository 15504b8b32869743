import { spawn } from 'node:child_process';
import { ROOT } from '../paths.js';

/** Runs the benchmarks of `bench/`; it is a project of its own, which this one does not import. */
export function bench(args: readonly string[]): Promise<number> {
  const child = spawn(process.execPath, [`${ROOT}bench/dist/main.js`, ...args], { stdio: 'inherit' });
  return new Promise((done, fail) => {
    child.once('error', fail);
    child.once('exit', (code) => done(code ?? 1));
  });
}
