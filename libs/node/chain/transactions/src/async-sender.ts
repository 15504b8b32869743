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
  /** Maximum number of concurrent sends. Outcomes that wait for an agreement are not among them. */
  readonly limit: number;
  readonly logger: Logger;
}

/** Sends transactions after responding to the caller, and posts their outcomes. */
export class AsyncSender {
  private readonly running = new Set<Promise<unknown>>();
  /** Outcomes that are posted, or wait for an agreement. */
  private readonly posting = new Set<Promise<void>>();
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
    const work = this.run(transaction, id).finally(() => this.running.delete(work));
    this.running.add(work);
    if (callbackUrl === undefined) return ZERO_HASH;
    const waitMs = transaction.privateFor === undefined ? 0 : (waitAgreement ?? agreement?.usualMs ?? 0);
    const posting = work
      .then((outcome) => this.post(outcome, { callbackUrl, waitMs }))
      .finally(() => this.posting.delete(posting));
    this.posting.add(posting);
    return ZERO_HASH;
  }

  /** Resolves when all requests accepted so far are finished; outcomes do not wait for an agreement any longer. */
  async drain(): Promise<void> {
    this.options.agreement?.stop();
    await Promise.all([...this.running, ...this.posting]);
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

  private async post(
    outcome: SendOutcome,
    { callbackUrl, waitMs }: { readonly callbackUrl: string; readonly waitMs: number },
  ): Promise<void> {
    const { callbacks, logger, agreement } = this.options;
    const isAwaited = 'txHash' in outcome && waitMs > 0 && agreement !== undefined;
    try {
      const posted = isAwaited
        ? { ...outcome, agreement: await agreement.wait(outcome.txHash, waitMs) }
        : outcome;
      await callbacks.post(callbackUrl, posted);
    } catch (error) {
      logger.warn('callback was not delivered', { host: new URL(callbackUrl).host, error });
    }
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : 'failed';
}
