import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { othersWhoRead } from '@tetrad/files';
import { z } from 'zod';
import type { LogThreshold } from './logger.js';
import { Secret } from './secret.js';
import { StartupError, reasonOf } from './startup-error.js';

/** How values of one type are written and parsed. */
export interface OptionType<T> {
  /** Placeholder in the help: `PORT`, `FILE`, `a|b`. */
  readonly placeholder: string;
  /** The TOML type allowed besides a string, which is accepted for every type. */
  readonly toml: 'string' | 'integer' | 'fraction' | 'boolean' | 'list';
  /** @throws RangeError with the rule that the text breaks ("must be …") */
  parse(text: string): T;
  /** The default as a user would write it. */
  format(value: T): string;
  /**
   * Replaces the parsed value by the thing it names, for example a file's content.
   * @throws StartupError
   */
  resolve?(value: T, key: string): T;
  /** Whether it names a file or folder. */
  readonly isPath?: true;
  /** A warning about the file that it names, for the operator. */
  caution?(value: T): string | undefined;
}

/**
 * A type of option value, from the codec between text and value.
 * @param options.rule - the rule that a rejected text breaks ("must be …")
 */
export function codecOption<T>(
  codec: z.ZodType<T, string>,
  { placeholder, toml = 'string', rule }: { placeholder: string; toml?: OptionType<T>['toml']; rule: string },
): OptionType<T> {
  return {
    placeholder,
    toml,
    parse(text) {
      const read = z.safeDecode(codec, text);
      if (!read.success) throw new RangeError(rule);
      return read.data;
    },
    format: (value) => z.encode(codec, value),
  };
}

const someText = z.string().min(1);
const NOT_EMPTY = 'must not be empty';

export function textOption(placeholder = 'TEXT'): OptionType<string> {
  return codecOption(someText, { placeholder, rule: NOT_EMPTY });
}

/** A whole number within bounds, both included. */
export function integerOption({ min, max }: { min: number; max: number }): OptionType<number> {
  const codec = z.codec(z.string().regex(/^-?\d+$/), z.number().min(min).max(max), {
    decode: Number,
    encode: String,
  });
  const rule = `must be a whole number from ${min} to ${max}`;
  return codecOption(codec, { placeholder: 'NUMBER', toml: 'integer', rule });
}

/** A decimal number from 0 to 1, both included. */
export function fractionOption(): OptionType<number> {
  const codec = z.codec(z.string().regex(/^(?:0|1|0?\.\d{1,9}|1\.0{1,9})$/), z.number().min(0).max(1), {
    decode: Number,
    encode: String,
  });
  const rule = 'must be a number from 0 to 1, such as 0.05';
  return codecOption(codec, { placeholder: 'FRACTION', toml: 'fraction', rule });
}

/** A TCP port; 0 lets the system choose a free one. */
export function portOption(): OptionType<number> {
  return { ...integerOption({ min: 0, max: 65_535 }), placeholder: 'PORT' };
}

export function booleanOption(): OptionType<boolean> {
  const codec = z.stringbool({ truthy: ['true'], falsy: ['false'], case: 'sensitive' });
  return codecOption(codec, { placeholder: '', toml: 'boolean', rule: 'must be true or false' });
}

/** One of several fixed words. */
export function choiceOption<const Word extends string>(...words: readonly Word[]): OptionType<Word> {
  const codec: z.ZodType<Word, string> = z.codec(z.string(), z.enum(words as readonly [Word, ...Word[]]), {
    decode: (text) => text as never,
    encode: (word) => word as string,
  });
  return codecOption(codec, {
    placeholder: words.join('|'),
    rule: `must be one of ${words.join(', ')}`,
  });
}

const LOG_LEVELS = ['debug', 'info', 'warn', 'error', 'off'] as const satisfies readonly LogThreshold[];
/** Level names of log4j, which EthSigner and Tessera use. */
const LOG4J_LEVELS = new Map<string, LogThreshold>([
  ['fatal', 'error'],
  ['trace', 'debug'],
  ['all', 'debug'],
]);

/** A log level in any letter case. */
export function logLevelOption(): OptionType<LogThreshold> {
  const codec: z.ZodType<LogThreshold, string> = z.codec(z.string().toLowerCase(), z.enum(LOG_LEVELS), {
    decode: (name) => (LOG4J_LEVELS.get(name) ?? name) as LogThreshold,
    encode: (level) => level,
  });
  return codecOption(codec, {
    placeholder: LOG_LEVELS.join('|'),
    rule: `must be one of ${LOG_LEVELS.join(', ')}`,
  });
}

/** Comma-separated values; the flag may also be repeated. */
export function listOption<T>(item: OptionType<T>): OptionType<readonly T[]> {
  const { caution } = item;
  return {
    ...(item.isPath === undefined ? {} : { isPath: item.isPath }),
    ...(caution === undefined
      ? {}
      : { caution: (values) => values.map(caution).find((one) => one !== undefined) }),
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
  const codec = z.codec(z.string().regex(/^\d{1,9}(?:ms|s|m|h)?$/), z.number().min(min).max(max), {
    decode: millisecondsOf,
    encode: formatDuration,
  });
  return codecOption(codec, {
    placeholder: 'DURATION',
    toml: 'integer',
    rule: `must be a duration such as 500ms, 30s, 5m or 1h, from ${formatDuration(min)} to ${formatDuration(max)}`,
  });
}

function millisecondsOf(text: string): number {
  const digits = Number.parseInt(text, 10);
  return digits * (UNITS_MS[text.replace(/^\d+/, '') || 'ms'] as number);
}

function formatDuration(ms: number): string {
  const unit = ['h', 'm', 's'].find((name) => ms > 0 && ms % (UNITS_MS[name] ?? 1) === 0) ?? 'ms';
  return `${ms / (UNITS_MS[unit] ?? 1)}${unit}`;
}

/** A file or folder, made absolute against the working directory. */
export function pathOption(placeholder: 'FILE' | 'DIR' = 'FILE'): OptionType<string> {
  const codec = z.codec(someText, z.string(), { decode: (text) => resolve(text), encode: (path) => path });
  return { ...codecOption(codec, { placeholder, rule: NOT_EMPTY }), isPath: true };
}

/** @returns undefined also when the file is not there yet */
function cautionOf(path: string): string | undefined {
  try {
    return othersWhoRead(path);
  } catch {
    return undefined;
  }
}

/** A file with a secret, which only its owner should read. */
export function secretPathOption(): OptionType<string> {
  return { ...pathOption(), caution: cautionOf };
}

/** An absolute URL of one of the schemes. */
export function urlOption(...schemes: readonly string[]): OptionType<URL> {
  const codec = z.codec(
    z.string().refine((text) => URL.canParse(text)),
    z.instanceof(URL).refine(({ protocol }) => schemes.includes(protocol.slice(0, -1))),
    { decode: (text) => new URL(text), encode: ({ href }) => href },
  );
  const starts = schemes.map((name) => `${name}://`).join(' or ');
  return codecOption(codec, { placeholder: 'URL', rule: `must be a URL that starts with ${starts}` });
}

/**
 * A secret that is read from the named file when the configuration is loaded; one line break at its end is dropped. That of a TOML
 * file is in a service (`fetchSecrets`).
 */
export function secretFileOption(): OptionType<Secret> {
  const path = pathOption();
  return {
    placeholder: path.placeholder,
    toml: path.toml,
    isPath: true,
    caution: ({ caution }) => caution,
    parse: (text) => new Secret(path.parse(text)),
    format: String,
    resolve: (file, key) => {
      const path = file.reveal();
      if (path.endsWith('.toml')) return new Secret('', undefined, path);
      const text = readTextFile(path, key).replace(/\r?\n$/, '');
      return new Secret(text, cautionOf(path));
    },
  };
}

/**
 * The text of a file that an option names.
 * @throws StartupError that names the option and the file
 */
export function readTextFile(path: string, key: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new StartupError(`${key}: cannot read ${path}: ${reasonOf(error).replace(/, .*$/, '')}`);
  }
}
