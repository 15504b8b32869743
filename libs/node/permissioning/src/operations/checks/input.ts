import { ZERO_ADDRESS, type Address } from '@tetrad/types';
import { unless, type Check } from '../action.js';

/** All of the texts and addresses are given: neither empty nor zero. */
export function given(...values: readonly (string | Address)[]): Check {
  return () =>
    unless(
      values.every((value) => value !== '' && value !== ZERO_ADDRESS),
      'INVALID_INPUT',
    );
}

/** The number is one of those that the action has. */
export function actionAmong(action: number, allowed: readonly number[]): Check {
  return () => unless(allowed.includes(action), 'OPERATION_NOT_ALLOWED');
}
