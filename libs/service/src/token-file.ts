import { closeSync, openSync, readSync, statSync } from 'node:fs';
import type { Clock, Logger } from '@tetrad/types';
import { OptionError, StartupError, reasonOf } from './startup-error.js';

/** Bytes of the file; node:http refuses requests with longer headers. */
const MAX_BYTES = 8_192;
/** How often the file is looked at, at most. */
const LOOK_EVERY_MS = 1_000;
/** What a header may hold. Source: RFC 6750, section 2.1 */
const TOKEN = /^[\w.~+/-]+=*$/;

export interface TokenFileOptions {
  readonly path: string;
  /** The option that names it, for messages. */
  readonly flag: string;
  readonly logger: Pick<Logger, 'info' | 'warn'>;
  readonly clock: Pick<Clock, 'now'>;
}

/**
 * A bearer token that this service shows to another one. The file is read again when it has changed, so that a token is
 * renewed without a restart; while it cannot be used, the last token is shown.
 */
export class TokenFile {
  #token: string;
  private version: string;
  private lookedMs: number;
  private problem: string | undefined;

  /** @throws StartupError when the file cannot be read; OptionError when it holds no token */
  constructor(private readonly options: TokenFileOptions) {
    const { path, flag, clock } = options;
    this.lookedMs = clock.now();
    try {
      this.version = versionOf(path);
      this.#token = readToken(path);
    } catch (error) {
      if (error instanceof TypeError) throw new OptionError(flag, `${path} ${error.message}`);
      throw new StartupError(`${flag}: cannot read ${path}: ${textOf(error)}`);
    }
  }

  /** The header of a request. */
  headers(): { readonly authorization: string } {
    this.look();
    return { authorization: `Bearer ${this.#token}` };
  }

  private look(): void {
    const { path, flag, clock, logger } = this.options;
    const now = clock.now();
    if (Math.abs(now - this.lookedMs) < LOOK_EVERY_MS) return;
    this.lookedMs = now;
    try {
      const version = versionOf(path);
      if (version === this.version && this.problem === undefined) return;
      this.#token = readToken(path);
      this.version = version;
      this.problem = undefined;
      logger.info('token file read again', { option: flag });
    } catch (error) {
      const problem = error instanceof TypeError ? error.message : textOf(error);
      if (problem !== this.problem)
        logger.warn('token file cannot be used', { option: flag, reason: problem });
      this.problem = problem;
    }
  }
}

/**
 * Changes with the file, also when another file takes its place.
 * @throws as `readToken`
 */
function versionOf(path: string): string {
  const stats = statSync(path);
  // Opening a pipe would wait for its other end.
  if (!stats.isFile()) throw new TypeError('is not a file');
  const { ino, size, mtimeMs, ctimeMs } = stats;
  return [ino, size, mtimeMs, ctimeMs].join();
}

/** @throws TypeError with what is wrong, without what was read; as the file system does */
function readToken(path: string): string {
  const bytes = Buffer.alloc(MAX_BYTES + 1);
  const file = openSync(path, 'r');
  let length: number;
  try {
    length = readSync(file, bytes, 0, bytes.length, 0);
  } finally {
    closeSync(file);
  }
  if (length > MAX_BYTES) throw new TypeError(`is larger than ${MAX_BYTES} bytes`);
  const text = bytes.toString('latin1', 0, length).trim();
  if (!TOKEN.test(text)) throw new TypeError('does not hold a token alone');
  return text;
}

function textOf(error: unknown): string {
  return reasonOf(error).split(', ', 1)[0] ?? '';
}
