import { spawn } from 'node:child_process';
import { serviceMain, type ServiceName } from '../paths.js';

/** Runs a service in the foreground. */
export function service(name: ServiceName, args: readonly string[]): Promise<number> {
  return runProgram(serviceMain(name), args);
}

/** The node. Its lost payloads are fetched by its manager, with the manager's options. */
export function node(args: readonly string[]): Promise<number> {
  const [command, ...rest] = args;
  return command === 'recover-payloads'
    ? service('transaction-manager', ['recover', ...rest])
    : service('node', args);
}

/** Runs a program in the foreground with the arguments as they are; signals reach it through the process group. */
export function runProgram(main: string, args: readonly string[]): Promise<number> {
  const child = spawn(process.execPath, [main, ...args], { stdio: 'inherit' });
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => child.kill(signal));
  return new Promise((done, fail) => {
    child.once('error', fail);
    child.once('exit', (code, signal) => done(code ?? (signal === null ? 1 : 128)));
  });
}
