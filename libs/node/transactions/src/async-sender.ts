import type { AsyncSendRequest } from '@tetrad/api-node';
import { RequestError, ZERO_HASH, type Hash, type Logger } from '@tetrad/types';
import type { TransactionSender } from './transaction-sender.js';

/** What is posted to the callback URL: the hash, or why there is none (interface document, "Events"). */
export type SendOutcome =
  { readonly id: CallId; readonly txHash: Hash } | { readonly id: CallId; readonly error: string };

type CallId = string | number | bigint | null;

/** Delivers outcomes; decides before anything is sent whether a URL may be called. */
export interface CallbackSender {
  /** Fails: any error whose message says why the URL is not allowed. */
  check(url: string): Promise<void> | void;
  post(url: string, outcome: SendOutcome): Promise<void>;
}

export interface AsyncSenderOptions {
  readonly sender: TransactionSender;
  readonly callbacks: CallbackSender;
  /** Sends that may be under way at a time. */
  readonly limit: number;
  readonly logger: Logger;
}

/** Sends transactions after the caller was answered, and posts what became of them. */
export class AsyncSender {
  private readonly running = new Set<Promise<void>>();
  /** Requests whose URL is being looked at: they count, or a burst would get past the limit meanwhile. */
  private checking = 0;

  constructor(private readonly options: AsyncSenderOptions) {}

  /**
   * Takes the request on and answers with zeros.
   *
   * Fails: RequestError TOO_MANY_CONCURRENT_REQUESTS, CALLBACK_URL_NOT_ALLOWED
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

  /** Resolves when everything taken on so far is finished. */
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
