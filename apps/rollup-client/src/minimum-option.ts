import { AMOUNT_LIMIT } from '@tetrad/rollup-state';
import { OptionError, option, textOption } from '@tetrad/service';

/** Which received orders are left where they are. */
export const minimumOptions = {
  minimum: option(textOption('UNITS'), {
    description:
      'Leave received orders of fewer units of the rollup: what they cost to withdraw may be more than they are worth.',
    default: '1',
  }),
};

/**
 * @param text - of the option
 * @returns units of the rollup
 * @throws OptionError for what is no amount
 */
export function parseMinimum(text: string): bigint {
  if (!/^\d{1,20}$/.test(text) || BigInt(text) >= AMOUNT_LIMIT)
    throw new OptionError('--minimum', `must be a number of units below 2^64, not ${text.slice(0, 80)}`);
  return BigInt(text);
}
