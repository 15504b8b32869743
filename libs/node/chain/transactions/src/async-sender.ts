import type { AsyncSendRequest } from '@tetrad/api-node';
import { RequestError, ZERO_HASH, type Hash, type Logger } from '@tetrad/types';
import type { TransactionSender } from './transaction-sender.js';

/** The body that is posted to the callback URL: the hash, or the error (interface document, "Events"). */
export type SendOutcome =
  { readonly id: CallId; readonly txHash: Hash } | { readonly id: CallId; readonly error: string };

type CallId = string | number | bigint | null;

/** Posts outcomes; checks a URL before the transaction is sent. */
export interface CallbackSender {
  /** @throws any error whose message says why the URL is not allowed */
  check(url: string): Promise<void> | void;
  post(url: string, outcome: SendOutcome): Promise<void>;
}

export interface AsyncSenderOptions {
  readonly sender: TransactionSender;
  readonly callbacks: CallbackSender;
  /** Maximum number of concurrent sends. */
  readonly limit: number;
  readonly logger: Logger;
}

/** Sends transactions after responding to the caller, and posts their outcomes. */
export class AsyncSender {
  private readonly running = new Set<Promise<void>>();
  /** Number of requests whose URL is being checked. They count, or a burst would exceed the limit meanwhile. */
  private checking = 0;

  constructor(private readonly options: AsyncSenderOptions) {}

  /**
   * Accepts the request and returns a hash of zeros.
   * @throws RequestError TOO_MANY_CONCURRENT_REQUESTS, CALLBACK_URL_NOT_ALLOWED
   */
  async send(request: AsyncSendRequest, id: CallId): Promise<Hash> {
    const { callbacks, limit } = this.options;
    if (this.running.size + this.checking >= limit) {
      throw new RequestError('TOO_MANY_CONCURRENT_REQUESTS', 'too many concurrent requests', { limit });
    }
    const { callbackUrl, ...transaction } = request;
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
    const work = this.run(transaction, { id, callbackUrl }).finally(() => this.running.delete(work));
    this.running.add(work);
    return ZERO_HASH;
  }

  /** Resolves when all requests accepted so far are finished. */
  async drain(): Promise<void> {
    await Promise.all(this.running);
  }

  private async run(
    request: AsyncSendRequest,
    { id, callbackUrl }: { id: CallId; callbackUrl: string | undefined },
  ): Promise<void> {
    const { sender, callbacks, logger } = this.options;
    const outcome = await sender.send(request).then(
      (txHash): SendOutcome => ({ id, txHash }),
      (error: unknown): SendOutcome => {
        logger.warn('asynchronous send failed', { error });
        return { id, error: messageOf(error) };
      },
    );
    if (callbackUrl === undefined) return;
    await callbacks.post(callbackUrl, outcome).catch((error: unknown) => {
      logger.warn('callback was not delivered', { host: new URL(callbackUrl).host, error });
    });
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : 'failed';
}
