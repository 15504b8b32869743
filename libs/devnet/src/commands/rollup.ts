import { ROLLUP_CLIENT } from '../paths.js';
import { runProgram, service } from './service.js';

/** A command of an account holder of the rollup. */
export function rollup(args: readonly string[]): Promise<number> {
  return runProgram(ROLLUP_CLIENT, args);
}

/** The operator; `rollup-operator rebuild` does not use it, because everything is on the chain. */
export function rollupOperator(args: readonly string[]): Promise<number> {
  return args[0] === 'rebuild' ? runProgram(ROLLUP_CLIENT, args) : service('rollup-operator', args);
}
