import { serviceMain, type ServiceName } from '../paths.js';
import { runProgram } from './run-program.js';

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
