import { AccountNews } from '@tetrad/rollup-client';
import { systemClock } from '@tetrad/types';
import { operatorHeaders, pause, type OperatorConfig } from './open-account.js';

/** Says when it is time to look at an account again. */
export interface Looks {
  /**
   * Waits for the next look.
   *
   * @param maxMs - ends the wait, 0 or more
   * @param signal - ends it too
   */
  next(maxMs: number, signal: AbortSignal): Promise<void>;
}

/** Between two looks without a notice, while the operator sends notices: one that sends none does not keep anything from its user. */
const QUIET_MS = 30_000;
/** Between two looks: what comes together is seen together, and an operator that sends notices without end is not asked without end. */
const PAUSE_MS = 250;

/**
 * Looks when the operator says that there may be something new, and every interval where it sends no notices. After a notice it looks
 * once more after the interval: the Ethereum client may be behind that of the operator.
 */
export class NoticedLooks implements Looks {
  private wasTold = true;

  /**
   * @param news - of the account
   * @param intervalMs - between looks without notices
   */
  constructor(
    private readonly news: Pick<AccountNews, 'isListening' | 'next'>,
    private readonly intervalMs: number,
  ) {}

  async next(maxMs: number, signal: AbortSignal): Promise<void> {
    const first = Math.min(PAUSE_MS, this.intervalMs, maxMs);
    await pause(first, signal);
    const isQuiet = this.news.isListening && !this.wasTold;
    const wanted = isQuiet ? Math.max(QUIET_MS, this.intervalMs) : this.intervalMs;
    this.wasTold = await this.news.next(Math.min(wanted, maxMs) - first, signal);
  }
}

/**
 * Runs work with the notices of the operator, then closes the connection. Where the operator sends none, it is as without them.
 *
 * @param config - the operator
 * @param which - the account, and how often it is looked at without notices, in ms
 * @param work - what waits for looks
 * @returns what the work returns
 * @throws OptionError, StartupError for the file of the token; as the work
 */
export async function withLooks<Result>(
  config: OperatorConfig,
  { accountId, intervalMs }: { readonly accountId: number; readonly intervalMs: number },
  work: (looks: Looks) => Promise<Result>,
): Promise<Result> {
  const news = new AccountNews({
    url: config.operatorUrl.href,
    headers: operatorHeaders(config),
    accountId,
    clock: systemClock,
    random: Math.random,
    onProblem: () => undefined,
  });
  try {
    return await work(new NoticedLooks(news, intervalMs));
  } finally {
    await news.close();
  }
}
