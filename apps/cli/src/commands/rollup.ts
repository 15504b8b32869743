import { ROLLUP_CLIENT } from '@tetrad/devnet/paths';
import { runProgram, service } from './service.js';

/** A command of an account holder of the rollup. */
export function rollup(args: readonly string[]): Promise<number> {
  return runProgram(ROLLUP_CLIENT, args);
}

/** The operator, and its commands. `rebuild` without the operator's key compares roots, for which the chain is enough. */
export function rollupOperator(args: readonly string[]): Promise<number> {
  const isComparison = args[0] === 'rebuild' && !args.some(isKeyFlag);
  return isComparison ? runProgram(ROLLUP_CLIENT, args) : service('rollup-operator', args);
}

const isKeyFlag = (word: string) => word.split('=', 1)[0] === '--operator-key-file';
