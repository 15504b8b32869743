import { backOffMs, pause, systemClock } from '@tetrad/types';
import type { GuardedProcess } from './guarded-process.js';

/** Called when a server ended unexpectedly, and about its restart. */
export interface KeptServerEvents {
  /** It ended, and is about to be restarted; in words for people. */
  readonly onDown?: ((why: string) => void) | undefined;
  /** It is back, on the same port. */
  readonly onUp?: (() => void) | undefined;
  /** It cannot be restarted, or ends again and again; nothing more is tried. The reason is in words for people. */
  readonly onLost?: ((reason: string) => void) | undefined;
}

const DELAYS = { firstMs: 100, maxMs: 10_000 };
/** One that served this long counts as recovered: its next end is the first one, however often it is killed. */
const HEALTHY_MS = 10_000;
/** Twelve failures in a row take about a minute. */
const MAX_ENDS = 12;

/** The delay before a restart, after so many ends in a row. */
export function restartDelayMs(ends: number): number {
  return backOffMs(ends, DELAYS);
}

/** Restarts a server whenever it ends unexpectedly, for example when the kernel kills it for its memory. */
export class KeptServer {
  private server: GuardedProcess | undefined;
  private readonly stopping = new AbortController();
  private readonly keeping: Promise<void>;

  constructor(
    first: GuardedProcess,
    /**
     * Starts it on the same port; undefined: it is left as it ended.
     * @throws with the reason
     */
    private readonly restart: (() => Promise<GuardedProcess>) | undefined,
    private readonly events: KeptServerEvents,
  ) {
    this.server = first;
    this.keeping = this.keep(first);
  }

  /** Stops it, also while it is being restarted. */
  async stop(stopServer: (server: GuardedProcess) => Promise<void>): Promise<void> {
    this.stopping.abort();
    if (this.server !== undefined) await stopServer(this.server);
    await this.keeping;
    // A server that was starting when the stop was requested.
    if (this.server?.hasExited() === false) await stopServer(this.server);
  }

  private async keep(first: GuardedProcess): Promise<void> {
    let server = first;
    for (let ends = 0; ;) {
      const startedMs = Date.now();
      const why = `the server ${await server.exited}`;
      if (this.isStopping || this.restart === undefined) return;
      this.server = undefined;
      this.events.onDown?.(why);
      ends = Date.now() - startedMs > HEALTHY_MS ? 1 : ends + 1;
      const again = await this.startAgain(this.restart, ends, why);
      if (again === undefined) return;
      ({ server, ends } = again);
      this.server = server;
      if (this.isStopping) return;
      this.events.onUp?.();
    }
  }

  /**
   * Tries until it is up.
   * @param ends - in a row so far
   * @returns undefined when it is given up or being stopped
   */
  private async startAgain(
    restart: () => Promise<GuardedProcess>,
    ends: number,
    why: string,
  ): Promise<{ readonly server: GuardedProcess; readonly ends: number } | undefined> {
    let last = why;
    for (let count = ends; count <= MAX_ENDS; count += 1) {
      await pause(systemClock, restartDelayMs(count), this.stopping.signal);
      if (this.isStopping) return undefined;
      try {
        return { server: await restart(), ends: count };
      } catch (error) {
        last = error instanceof Error ? error.message : String(error);
      }
    }
    this.events.onLost?.(`does not stay up: ${last}`);
    return undefined;
  }

  private get isStopping(): boolean {
    return this.stopping.signal.aborted;
  }
}
