import { OptionError } from '@tetrad/service';
import { decimalText } from './amount.js';

const GWEI_DECIMALS = 9;

/**
 * Wei for a unit of gas: `20gwei`, `1.5gwei`, `1000000000wei` or `1000000000`.
 *
 * @param text - of the option
 * @param flag - its name
 * @returns wei, 1 or more
 * @throws OptionError
 */
export function parseGasPrice(text: string, flag: string): bigint {
  const [, digits, fraction = '', word = 'wei'] = /^(\d{1,20})(?:\.(\d{1,9}))?(gwei|wei)?$/.exec(text) ?? [];
  if (digits === undefined || (word === 'wei' && fraction !== ''))
    throw new OptionError(
      flag,
      `must be a price such as 20gwei, or a number of wei, not ${text.slice(0, 80)}`,
    );
  const wei = word === 'wei' ? BigInt(digits) : BigInt(digits + fraction.padEnd(GWEI_DECIMALS, '0'));
  if (wei === 0n) throw new OptionError(flag, 'must be more than 0');
  return wei;
}

/** For people. */
export function gweiText(wei: bigint): string {
  return `${decimalText(wei, GWEI_DECIMALS)} gwei`;
}
