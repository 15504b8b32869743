import type { PeriodEnd } from '@tetrad/rollup-client';
import type { OptionType } from '@tetrad/service';

const DAY_MS = 86_400_000;
const MAX_HEIGHT = 2 ** 32 - 1;

/**
 * One end of a period: the height of a batch, or a day in UTC.
 *
 * @param end - whether a day is meant from its beginning or until its end
 * @returns an option whose value is a height, or the second at which the day begins or the next one does
 */
export function periodOption(end: 'first' | 'last'): OptionType<PeriodEnd> {
  return {
    placeholder: 'BATCH|DATE',
    toml: 'string',
    format: (value) =>
      'height' in value ? String(value.height) : new Date(value.time * 1000).toISOString().slice(0, 10),
    parse(text) {
      if (/^[1-9]\d{0,9}$/.test(text) && Number(text) <= MAX_HEIGHT) return { height: Number(text) };
      const day = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
      if (Number.isNaN(day) || !new Date(day).toISOString().startsWith(text))
        throw new RangeError('must be the height of a batch, or a day such as 2026-01-31 (UTC)');
      return { time: (end === 'first' ? day : day + DAY_MS) / 1000 };
    },
  };
}
