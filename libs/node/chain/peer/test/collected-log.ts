import type { LogValues, Logger } from '@tetrad/types';

/** Lines of a log. */
export class CollectedLog implements Logger {
  readonly lines: { readonly level: string; readonly message: string; readonly values: LogValues }[] = [];
  debug = (message: string, values: LogValues = {}) =>
    void this.lines.push({ level: 'debug', message, values });
  info = (message: string, values: LogValues = {}) =>
    void this.lines.push({ level: 'info', message, values });
  warn = (message: string, values: LogValues = {}) =>
    void this.lines.push({ level: 'warn', message, values });
  error = (message: string, values: LogValues = {}) =>
    void this.lines.push({ level: 'error', message, values });
  child = () => this;

  /** Warnings and errors with the text in message or values. */
  complaints(text: string): number {
    return this.lines.filter(
      ({ level, message, values }) =>
        (level === 'warn' || level === 'error') &&
        `${message} ${Object.values(values).map(String).join(' ')}`.includes(text),
    ).length;
  }
}
