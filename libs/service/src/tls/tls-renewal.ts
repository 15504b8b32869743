import type { Server, ServerOptions } from 'node:https';
import { isDeepStrictEqual } from 'node:util';
import type { Logger } from '@tetrad/types';

/** How often the files are read: certificates are replaced days before they expire. */
const CHECK_MS = 10_000;

/**
 * Takes certificates that are replaced on the disk, without a restart: new connections get the new one, and those that are
 * open keep theirs. Files that cannot be used, such as a certificate whose key has not been written yet, change nothing.
 */
export class TlsRenewal {
  private timer: NodeJS.Timeout | undefined;
  private problem: string | undefined;

  constructor(
    private readonly server: Pick<Server, 'setSecureContext'>,
    private readonly parts: {
      /** What the server was given. */
      readonly present: ServerOptions;
      /**
       * Reads the files.
       * @throws when they cannot be used together
       */
      readonly read: () => ServerOptions;
      readonly logger: Logger;
    },
  ) {
    this.present = parts.present;
  }

  private present: ServerOptions;

  /** Checks the files from now on. */
  start(): void {
    this.timer = setInterval(() => this.check(), CHECK_MS).unref();
  }

  stop(): void {
    clearInterval(this.timer);
  }

  /** Reads the files once. A problem with them is logged when it begins. */
  check(): void {
    const { logger, read } = this.parts;
    try {
      const next = read();
      const isNew = !isDeepStrictEqual(next, this.present);
      if (isNew) this.server.setSecureContext(next);
      this.problem = undefined;
      if (!isNew) return;
      this.present = next;
      logger.info('TLS files were replaced; new connections use them');
    } catch (error) {
      const problem = error instanceof Error ? error.message : String(error);
      if (problem !== this.problem)
        logger.warn('TLS files are not usable; the former ones stay in use', { problem });
      this.problem = problem;
    }
  }
}
