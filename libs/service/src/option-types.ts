import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { LogThreshold } from './logger.js';
import { Secret } from './secret.js';
import { StartupError, reasonOf } from './startup-error.js';

/** How one kind of value is written and read. */
export interface OptionType<T> {
  /** Placeholder in the help: `PORT`, `FILE`, `a|b`. */
  readonly placeholder: string;
  /** What a TOML file may give beside a string, from which every kind can be read. */
  readonly toml: 'string' | 'integer' | 'boolean' | 'list';
  /** Fails: RangeError with the rule that the text breaks ("must be …"). */
  parse(text: string): T;
  /** A default in the form in which one would write it. */
  format(value: T): string;
  /** Replaces what was parsed by what it names, for example a file's content. Fails: StartupError. */
  resolve?(value: T, key: string): T;
}

export function textOption(placeholder = 'TEXT'): OptionType<string> {
  return { placeholder, toml: 'string', parse: (text) => nonEmpty(text), format: (value) => value };
}

/** A whole number within bounds, both included. */
export function integerOption({ min, max }: { min: number; max: number }): OptionType<number> {
  return {
    placeholder: 'NUMBER',
    toml: 'integer',
    format: String,
    parse(text) {
      const value = Number(text);
      if (!/^-?\d+$/.test(text) || value < min || value > max) {
        throw new RangeError(`must be a whole number from ${min} to ${max}`);
      }
      return value;
    },
  };
}

/** A TCP port; 0 lets the system choose a free one. */
export function portOption(): OptionType<number> {
  return { ...integerOption({ min: 0, max: 65_535 }), placeholder: 'PORT' };
}

export function booleanOption(): OptionType<boolean> {
  return {
    placeholder: '',
    toml: 'boolean',
    format: String,
    parse(text) {
      if (text !== 'true' && text !== 'false') throw new RangeError('must be true or false');
      return text === 'true';
    },
  };
}

/** One of a few words. */
export function choiceOption<const Word extends string>(...words: readonly Word[]): OptionType<Word> {
  return {
    placeholder: words.join('|'),
    toml: 'string',
    format: (value) => value,
    parse(text) {
      const word = words.find((candidate) => candidate === text);
      if (word === undefined) throw new RangeError(`must be one of ${words.join(', ')}`);
      return word;
    },
  };
}

const LOG_LEVELS: Readonly<Record<string, LogThreshold>> = {
  ...{ debug: 'debug', info: 'info', warn: 'warn', error: 'error', off: 'off' },
  // Of log4j, which the programs that users come from are configured by.
  ...{ fatal: 'error', trace: 'debug', all: 'debug' },
};

/** A log level in any letter case. */
export function logLevelOption(): OptionType<LogThreshold> {
  return {
    placeholder: 'debug|info|warn|error|off',
    toml: 'string',
    format: (value) => value,
    parse(text) {
      const name = text.toLowerCase();
      const level = Object.hasOwn(LOG_LEVELS, name) ? LOG_LEVELS[name] : undefined;
      if (level === undefined) throw new RangeError('must be one of debug, info, warn, error, off');
      return level;
    },
  };
}

/** Comma-separated values; the flag may also be repeated. */
export function listOption<T>(item: OptionType<T>): OptionType<readonly T[]> {
  return {
    placeholder: `${item.placeholder}[,…]`,
    toml: 'list',
    parse: (text) =>
      text
        .split(',')
        .map((part) => part.trim())
        .filter((part) => part !== '')
        .map((part) => item.parse(part)),
    format: (values) => values.map((value) => item.format(value)).join(','),
  };
}

const UNITS_MS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 };

/** A span of time, in milliseconds; written `500`, `500ms`, `30s`, `5m` or `1h`. */
export function durationOption(bounds: { min?: number; max?: number } = {}): OptionType<number> {
  const { min = 0, max = 24 * 3_600_000 } = bounds;
  return {
    placeholder: 'DURATION',
    toml: 'integer',
    format: formatDuration,
    parse(text) {
      const [, digits, unit = 'ms'] = /^(\d{1,9})(ms|s|m|h)?$/.exec(text) ?? [];
      const value = Number(digits ?? NaN) * (UNITS_MS[unit] ?? NaN);
      if (!(value >= min && value <= max)) {
        throw new RangeError(
          `must be a duration such as 500ms, 30s, 5m or 1h, from ${formatDuration(min)} to ${formatDuration(max)}`,
        );
      }
      return value;
    },
  };
}

function formatDuration(ms: number): string {
  const unit = ['h', 'm', 's'].find((name) => ms > 0 && ms % (UNITS_MS[name] ?? 1) === 0) ?? 'ms';
  return `${ms / (UNITS_MS[unit] ?? 1)}${unit}`;
}

/** A file or folder, made absolute against the working directory. */
export function pathOption(placeholder: 'FILE' | 'DIR' = 'FILE'): OptionType<string> {
  return { placeholder, toml: 'string', parse: (text) => resolve(nonEmpty(text)), format: (value) => value };
}

/** An absolute URL of one of the schemes. */
export function urlOption(...schemes: readonly string[]): OptionType<URL> {
  return {
    placeholder: 'URL',
    toml: 'string',
    format: (url) => url.href,
    parse(text) {
      const url = URL.canParse(text) ? new URL(text) : undefined;
      if (url === undefined || !schemes.includes(url.protocol.slice(0, -1))) {
        throw new RangeError(
          `must be a URL that starts with ${schemes.map((name) => `${name}://`).join(' or ')}`,
        );
      }
      return url;
    },
  };
}

/** A secret that is read from the named file when the configuration is loaded; one line break at its end is dropped. */
export function secretFileOption(): OptionType<Secret> {
  return {
    placeholder: 'FILE',
    toml: 'string',
    parse: (text) => new Secret(resolve(nonEmpty(text))),
    format: String,
    resolve: (path, key) => new Secret(readTextFile(path.reveal(), key).replace(/\r?\n$/, '')),
  };
}

/** The text of a file that an option names. Fails: StartupError that names the option and the file. */
export function readTextFile(path: string, key: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new StartupError(`${key}: cannot read ${path}: ${reasonOf(error).replace(/, .*$/, '')}`);
  }
}

function nonEmpty(text: string): string {
  if (text === '') throw new RangeError('must not be empty');
  return text;
}
