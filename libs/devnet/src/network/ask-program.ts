import { spawn } from 'node:child_process';
import { serviceMain, type ServiceName } from '../paths.js';

/** The maximum output of a command. */
const MAX_OUTPUT = 1_048_576;

/**
 * Runs a command of a service's program to its end; its log goes to standard error.
 * @returns the last line that it printed
 * @throws as `printedBy`
 */
export async function askProgram(
  program: ServiceName,
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<string> {
  return lastLine(await printedBy(program, args, environment));
}

/**
 * As `askProgram`.
 * @returns all that it printed, up to the maximum
 * @throws Error when it does not end with code 0
 */
export function printedBy(
  program: ServiceName,
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<string> {
  const child = spawn(process.execPath, [serviceMain(program), ...args], {
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output = (output + chunk.toString()).slice(-MAX_OUTPUT)));
  return new Promise((done, fail) => {
    child.once('error', fail);
    child.once('close', (code) => {
      const last = lastLine(output);
      if (code === 0) done(output);
      // An unexpected fault is in the log, not on standard error.
      else fail(new Error(`${program} ${args[0]} ended with code ${code}${last === '' ? '' : `: ${last}`}`));
    });
  });
}

function lastLine(output: string): string {
  return output.trim().split('\n').pop() ?? '';
}
