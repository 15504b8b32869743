import type { AsyncSendRequest, AwaitedAgreementView, SendRequest } from '@tetrad/api-node';
import { RequestError, ZERO_HASH, type Hash, type Logger } from '@tetrad/types';
import type { TransactionSender } from './transaction-sender.js';

/** The body that is posted to the callback URL: the hash, or the error (interface document, "Events"). */
export type SendOutcome =
  | {
      readonly id: CallId;
      readonly txHash: Hash;
      /** Only where the outcome has waited for it. */
      readonly agreement?: AwaitedAgreementView;
    }
  | { readonly id: CallId; readonly error: string };

type CallId = string | number | bigint | null;

/** Posts outcomes; checks a URL before the transaction is sent. */
export interface CallbackSender {
  /** @throws any error whose message says why the URL is not allowed */
  check(url: string): Promise<void> | void;
  post(url: string, outcome: SendOutcome): Promise<void>;
}

/** Knows whether the parties of a private transaction have the same result of it. */
export interface AgreementWait {
  /** Milliseconds of a request that names none; 0 for not at all. */
  readonly usualMs: number;
  /** Resolves when all agree, one does not, the time is over, or `stop` is called. */
  readonly wait: (transaction: Hash, waitMs: number) => Promise<AwaitedAgreementView>;
  readonly stop: () => void;
}

export interface AsyncSenderOptions {
  readonly sender: TransactionSender;
  readonly callbacks: CallbackSender;
  /** Absent on a node that does not know the results of other parties. */
  readonly agreement?: AgreementWait | undefined;
  /** Maximum number of concurrent sends, each until its outcome is posted. Those that wait for an agreement have a bound of their own. */
  readonly limit: number;
  readonly logger: Logger;
}

/** Sends transactions after responding to the caller, and posts their outcomes. */
export class AsyncSender {
  private readonly running = new Set<Promise<unknown>>();
  /** Outcomes that wait for an agreement, and are posted then. */
  private readonly awaiting = new Set<Promise<unknown>>();
  /** Number of requests whose URL is being checked. They count, or a burst would exceed the limit meanwhile. */
  private checking = 0;

  constructor(private readonly options: AsyncSenderOptions) {}

  /**
   * Accepts the request and returns a hash of zeros.
   * @throws RequestError TOO_MANY_CONCURRENT_REQUESTS, CALLBACK_URL_NOT_ALLOWED
   */
  async send(request: AsyncSendRequest, id: CallId): Promise<Hash> {
    const { callbacks, limit, agreement } = this.options;
    if (this.running.size + this.checking >= limit) {
      throw new RequestError('TOO_MANY_CONCURRENT_REQUESTS', 'too many concurrent requests', { limit });
    }
    const { callbackUrl, waitAgreement, ...transaction } = request;
    if (callbackUrl !== undefined) {
      this.checking++;
      try {
        await callbacks.check(callbackUrl);
      } catch (error) {
        throw new RequestError('CALLBACK_URL_NOT_ALLOWED', `callbackUrl: ${messageOf(error)}`);
      } finally {
        this.checking--;
      }
    }
    const waitMs = transaction.privateFor === undefined ? 0 : (waitAgreement ?? agreement?.usualMs ?? 0);
    const sent = this.run(transaction, id);
    track(
      this.running,
      sent.then((outcome) =>
        callbackUrl === undefined ? undefined : this.answer(outcome, callbackUrl, waitMs),
      ),
    );
    return ZERO_HASH;
  }

  /** Resolves when all requests accepted so far are finished; outcomes do not wait for an agreement any longer. */
  async drain(): Promise<void> {
    this.options.agreement?.stop();
    // A send under way may still begin a wait, which ends at once by now.
    await Promise.all(this.running);
    await Promise.all(this.awaiting);
  }

  private run(request: SendRequest, id: CallId): Promise<SendOutcome> {
    const { sender, logger } = this.options;
    return sender.send(request).then(
      (txHash): SendOutcome => ({ id, txHash }),
      (error: unknown): SendOutcome => {
        logger.warn('asynchronous send failed', { error });
        return { id, error: messageOf(error) };
      },
    );
  }

  /** @returns when it is posted, or waits for an agreement */
  private async answer(outcome: SendOutcome, callbackUrl: string, waitMs: number): Promise<void> {
    const { agreement } = this.options;
    if (!('txHash' in outcome) || waitMs === 0 || agreement === undefined)
      return this.post(outcome, callbackUrl);
    const agreed = agreement.wait(outcome.txHash, waitMs);
    track(
      this.awaiting,
      agreed.then((found) => this.post({ ...outcome, agreement: found }, callbackUrl)),
    );
  }

  private async post(outcome: SendOutcome, callbackUrl: string): Promise<void> {
    const { callbacks, logger } = this.options;
    try {
      await callbacks.post(callbackUrl, outcome);
    } catch (error) {
      logger.warn('callback was not delivered', { host: new URL(callbackUrl).host, error });
    }
  }
}

/** Holds the work until it has ended. */
function track(set: Set<Promise<unknown>>, work: Promise<unknown>): void {
  const held = work.finally(() => set.delete(held));
  set.add(held);
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : 'failed';
}
