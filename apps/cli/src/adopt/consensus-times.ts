import type { SettingsConversion } from '@tetrad/service/settings-conversion';
import { wholeNumber } from './flag-values.js';
import type { GethFlag } from './geth-flags.js';

interface TimeFlag {
  readonly flag: string;
  /** Key of a section or transition that gives the same time. */
  readonly fileKey: string;
  /** Our option. */
  readonly option: string;
  readonly unit: 's' | 'ms';
}

const TIMES: readonly TimeFlag[] = [
  { flag: 'istanbul.blockperiod', fileKey: 'blockperiodseconds', option: 'block-period', unit: 's' },
  {
    flag: 'istanbul.requesttimeout',
    fileKey: 'requesttimeoutseconds',
    option: 'request-timeout',
    unit: 'ms',
  },
];
const SECTIONS = ['istanbul', 'ibft', 'qbft'];

/** Flags with times of consensus. */
export const TIME_FLAGS = TIMES.map(({ flag }) => flag);

/**
 * The times of consensus of the command line. In GoQuorum, and under the option here, such a time is a default below the
 * section of the genesis file and below its transitions.
 * @param config - of the genesis file
 */
export function takeTimes(
  flags: readonly GethFlag[],
  config: Readonly<Record<string, unknown>>,
  conversion: SettingsConversion,
): void {
  const isRaft = flags.some(({ name }) => name === 'raft');
  for (const { flag, fileKey, option, unit } of TIMES) {
    const value = flags.findLast(({ name }) => name === flag)?.value;
    if (value === undefined) continue;
    const time = wholeNumber(value, `--${flag}`);
    const place = isRaft ? undefined : placeOf(fileKey, config);
    if (isRaft) conversion.ignore(`--${flag}`, 'has no effect under raft');
    else if (place !== undefined)
      conversion.ignore(`--${flag}`, `${place} of the genesis file comes first, as in GoQuorum`);
    else if (time === 0) conversion.ignore(`--${flag}`, 'is 0, which is no time');
    else
      conversion.change(`--${flag}`, option, `${time}${unit}`, 'below the transitions of the genesis file');
  }
}

/** Where the file gives the time for block 0; undefined when it does not. A 0 keeps the default. */
function placeOf(key: string, config: Readonly<Record<string, unknown>>): string | undefined {
  for (const name of SECTIONS)
    if (isGiven(memberOf(memberOf(config, name), key))) return `config.${name}.${key}`;
  const transitions = memberOf(config, 'transitions');
  if (!Array.isArray(transitions)) return undefined;
  const index = transitions.findIndex(
    (entry: unknown) => memberOf(entry, 'block') === 0 && isGiven(memberOf(entry, key)),
  );
  return index === -1 ? undefined : `config.transitions.${index}.${key}`;
}

function isGiven(value: unknown): boolean {
  return typeof value === 'number' && value > 0;
}

/** GoQuorum reads names in any case. */
function memberOf(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined;
  return Object.entries(value).findLast(([key]) => key.toLowerCase() === name)?.[1];
}
