import { spawn } from 'node:child_process';
import { serviceMain, type ServiceName } from '@tetrad/devnet/paths';

/** Runs a service in the foreground. */
export function service(name: ServiceName, args: readonly string[]): Promise<number> {
  return runProgram(serviceMain(name), args);
}

/** The node. Its lost payloads are fetched by its manager, with the manager's options. */
export function node(args: readonly string[]): Promise<number> {
  const [command, ...rest] = args;
  if (command === 'recover-payloads') return service('transaction-manager', ['recover', ...rest]);
  // What a block leaves behind lives until its group is stored, longer than a small young generation lasts.
  const flags = command === 'import-chain' ? ['--max-semi-space-size=32'] : [];
  return runProgram(serviceMain('node'), args, flags);
}

/**
 * Runs a program in the foreground with the arguments as they are; signals reach it through the process group.
 * @param flags - of Node.js
 * @param environment - variables beside those of this process
 */
export function runProgram(
  main: string,
  args: readonly string[],
  flags: readonly string[] = [],
  environment: Readonly<Record<string, string>> = {},
): Promise<number> {
  const env = { ...process.env, ...environment };
  const child = spawn(process.execPath, [...flags, main, ...args], { stdio: 'inherit', env });
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => child.kill(signal));
  return new Promise((done, fail) => {
    child.once('error', fail);
    child.once('exit', (code, signal) => done(code ?? (signal === null ? 1 : 128)));
  });
}
