import { UsageError } from '@tetrad/devnet/usage-error';

/** The entries of a list of flags. */
export function listOf(value: string): string[] {
  return value
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '');
}

/** @throws UsageError that names the flag */
export function wholeNumber(value: string, flag: string): number {
  if (/^\d{1,15}$/.test(value)) return Number(value);
  throw new UsageError(`${flag}: ${value.slice(0, 60)} is not a whole number`);
}
