import type { RollupToken } from '@tetrad/rollup-client';
import { OptionError } from '@tetrad/service';
import { ZERO_ADDRESS } from '@tetrad/types';

/** Decimals of the words that an amount of ether may end with. */
const ETHER_WORDS: Readonly<Record<string, number>> = { ether: 18, gwei: 9, wei: 0 };

const LIMIT = 2n ** 64n;

/**
 * Units of the rollup: `1500`, or for ether also `1.5ether`, `20gwei`, `1000000000wei`. Exact: fractions of a unit are refused.
 * @throws OptionError
 */
export function parseAmount(text: string, token: RollupToken, flag = '--amount'): bigint {
  const [, digits, fraction = '', word] = /^(\d{1,30})(?:\.(\d{1,18}))?(ether|gwei|wei)?$/.exec(text) ?? [];
  if (digits === undefined || (word === undefined && fraction !== ''))
    throw new OptionError(
      flag,
      `must be a number of units such as 1500, or of ether such as 1.5ether, not ${text.slice(0, 80)}`,
    );
  const units = word === undefined ? BigInt(digits) : fromEther({ digits, fraction, word }, token, flag);
  if (units >= LIMIT) throw new OptionError(flag, `must be below 2^64 units, not ${text}`);
  return units;
}

function fromEther(
  { digits, fraction, word }: { readonly digits: string; readonly fraction: string; readonly word: string },
  token: RollupToken,
  flag: string,
): bigint {
  if (token.address !== ZERO_ADDRESS)
    throw new OptionError(flag, `token ${token.id} is not ether; give the number of units`);
  const decimals = ETHER_WORDS[word] ?? 0;
  if (fraction.length > decimals)
    throw new OptionError(flag, `${digits}.${fraction}${word} has more decimals than a wei`);
  const wei = BigInt(digits + fraction.padEnd(decimals, '0'));
  if (wei % token.unit !== 0n)
    throw new OptionError(flag, `must be a multiple of ${token.unit} wei, the unit of this rollup`);
  return wei / token.unit;
}

/** For people: units, and what they are on the chain. */
export function describeAmount(amount: bigint, token: RollupToken): string {
  const base = amount * token.unit;
  const text =
    token.address === ZERO_ADDRESS
      ? `${decimalText(base, 18)} ether`
      : `${base} base units of ${token.address}`;
  return `${amount} units of token ${token.id} (${text})`;
}

/**
 * A whole number as a decimal fraction.
 *
 * @param value - 0 or more
 * @param decimals - digits behind the point
 * @returns without zeros at the end of the fraction
 */
export function decimalText(value: bigint, decimals: number): string {
  const digits = value.toString().padStart(decimals + 1, '0');
  let end = digits.length;
  while (end > digits.length - decimals && digits[end - 1] === '0') end -= 1;
  const whole = digits.slice(0, -decimals);
  const fraction = digits.slice(digits.length - decimals, end);
  return fraction === '' ? whole : `${whole}.${fraction}`;
}
