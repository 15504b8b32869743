import type { LogValues, Logger } from '@tetrad/types';
import { createLogger as createWinston, format, transports } from 'winston';
import type { Writable } from 'node:stream';
import { redact } from './redact.js';

export type LogLevel = 'debug' | 'info' | 'warn' | 'error';

/** The least severe lines that are written; with `off`, none. */
export type LogThreshold = LogLevel | 'off';

/**
 * A logger that writes one JSON object a line: time, level, service, message, then the values.
 * @param options.stream - standard output unless a test listens
 */
export function createLogger(options: {
  readonly service: string;
  readonly level?: LogThreshold;
  readonly stream?: Writable;
}): Logger {
  const winston = createWinston({
    silent: options.level === 'off',
    level: options.level ?? 'info',
    levels: { error: 0, warn: 1, info: 2, debug: 3 },
    format: format.printf(({ level, message, values }) => {
      const own = { time: new Date().toISOString(), level, service: options.service, message };
      // Twice: first for its position at the front, then so that no value replaces it.
      return JSON.stringify({ ...own, ...(redact(values) as object), ...own });
    }),
    transports: [new transports.Stream({ stream: options.stream ?? process.stdout, eol: '\n' })],
  });
  return bind((level, message, values) => winston.log({ level, message, values }), {});
}

function bind(
  write: (level: LogLevel, message: string, values: LogValues) => void,
  bound: LogValues,
): Logger {
  const at =
    (level: LogLevel) =>
    (message: string, values: LogValues = {}) =>
      write(level, message, { ...bound, ...values });
  return {
    debug: at('debug'),
    info: at('info'),
    warn: at('warn'),
    error: at('error'),
    child: (values) => bind(write, { ...bound, ...values }),
  };
}
