import { NOTICE_METHOD, rollupNoticeMethods } from '@tetrad/api-rollup-operator';
import { connectRpcWebSocket } from '@tetrad/rpc';
import { backOffMs, pause, spreadMs, type Clock } from '@tetrad/types';

/** Where an operator is, and whose notices are wanted. */
export interface AccountNewsOptions {
  readonly url: string;
  /** Asked before each connection, so that a token may be renewed meanwhile. */
  readonly headers?: (() => Readonly<Record<string, string>>) | undefined;
  readonly accountId: number;
  readonly clock: Pick<Clock, 'schedule'>;
  /** From 0 to 1. */
  readonly random: () => number;
  /** Hears why there are no notices at the moment. */
  readonly onProblem: (problem: string) => void;
  readonly timeoutMs?: number;
}

const TIMEOUT_MS = 30_000;
/** Maximum size of a message: notices are small. */
const MAX_NOTICE_BYTES = 64 * 1024;
const BACK_OFF = { firstMs: 500, maxMs: 30_000 };

/**
 * Tells when there may be something new of an account: an order that it received is final, or one of its operations is executed,
 * proved, final or rejected. A notice says only that it is time to look: what there is comes from the lists of the operator and is
 * proved against the contract. So a notice that is lost, doubled or invented does no harm, and each new connection counts as a
 * notice, since those of before it may be lost.
 */
export class AccountNews {
  private readonly stopping = new AbortController();
  private readonly running: Promise<void>;
  private hasNews = true;
  private listens = false;
  private wake: () => void = () => undefined;

  constructor(private readonly options: AccountNewsOptions) {
    this.running = this.run();
  }

  /** Whether the operator sends notices at the moment: without them it is for the caller to look often enough. */
  get isListening(): boolean {
    return this.listens;
  }

  /**
   * Waits until there may be something new since the last call.
   *
   * @param maxMs - ends the wait without news
   * @param signal - ends it too
   * @returns whether there may be something new
   */
  async next(maxMs: number, signal: AbortSignal): Promise<boolean> {
    if (!this.hasNews && !signal.aborted)
      await new Promise<void>((done) => {
        const end = () => {
          cancel();
          signal.removeEventListener('abort', end);
          done();
        };
        const cancel = this.options.clock.schedule(maxMs, end);
        signal.addEventListener('abort', end, { once: true });
        this.wake = end;
      });
    const { hasNews } = this;
    this.hasNews = false;
    return hasNews;
  }

  async close(): Promise<void> {
    this.stopping.abort();
    await this.running;
  }

  private async run(): Promise<void> {
    const { clock, random, onProblem } = this.options;
    const { signal } = this.stopping;
    for (let failures = 0; !signal.aborted;) {
      try {
        const ended = await this.listen();
        failures = 0;
        const reason = await ended();
        this.listens = false;
        if (!signal.aborted) onProblem(`notices of the operator ended: ${reason}`);
      } catch (error) {
        if (!signal.aborted) onProblem(`no notices of the operator: ${(error as Error).message}`);
      }
      failures += 1;
      await pause(clock, spreadMs(backOffMs(failures, BACK_OFF), random()), signal);
    }
  }

  /**
   * @returns what waits for the end of the notices
   * @throws RpcCallError, RpcTransportError
   */
  private async listen(): Promise<() => Promise<string>> {
    const { url, headers, accountId, timeoutMs = TIMEOUT_MS } = this.options;
    const connection = await connectRpcWebSocket(rollupNoticeMethods, {
      url,
      timeoutMs,
      maxMessageBytes: MAX_NOTICE_BYTES,
      signal: this.stopping.signal,
      ...(headers === undefined ? {} : { headers: headers() }),
      onNotice: (method) => (method === NOTICE_METHOD ? this.tell() : undefined),
    });
    try {
      await connection.call('rollup_subscribeReceivedMoneyOrders', [accountId]);
      await connection.call('rollup_subscribeAccountProgress', [accountId]);
    } catch (error) {
      await connection.close();
      throw error;
    }
    this.listens = true;
    this.tell();
    return () => connection.ended;
  }

  private tell(): void {
    this.hasNews = true;
    this.wake();
  }
}
