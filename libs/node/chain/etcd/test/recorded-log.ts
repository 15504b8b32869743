import type { Logger, LogValues } from '@tetrad/types';

/** A logger that keeps all lines, for tests that look for what must not be in them. */
export class RecordedLog implements Logger {
  readonly lines: string[] = [];

  debug = (message: string, values?: LogValues): void => this.add(message, values);
  info = (message: string, values?: LogValues): void => this.add(message, values);
  warn = (message: string, values?: LogValues): void => this.add(message, values);
  error = (message: string, values?: LogValues): void => this.add(message, values);
  child = (): Logger => this;

  private add(message: string, values: LogValues = {}): void {
    const texts = Object.entries(values).map(([name, value]) => `${name}=${String(value)}`);
    this.lines.push([message, ...texts].join(' '));
  }
}
