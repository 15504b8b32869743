import { spawn } from 'node:child_process';

/** Runs a program in the foreground with the arguments as they are; signals reach it through the process group. */
export function runProgram(main: string, args: readonly string[]): Promise<number> {
  const child = spawn(process.execPath, [main, ...args], { stdio: 'inherit' });
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => child.kill(signal));
  return new Promise((done, fail) => {
    child.once('error', fail);
    child.once('exit', (code, signal) => done(code ?? (signal === null ? 1 : 128)));
  });
}
