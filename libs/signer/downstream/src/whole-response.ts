import type { IncomingHttpHeaders } from 'node:http';
import { errors, type Dispatcher } from 'undici';
import type { ReceivedBytes, ReceivedShare } from './received-bytes.js';

/** The answer as it came, all of it. */
export interface ReceivedResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Uint8Array;
}

/** An exchange that came to nothing. */
export class FailedExchange extends Error {
  override readonly name = 'FailedExchange';

  /** @param hasBegun - whether the request may have been written, whole or in part; before that nothing of it has left */
  constructor(
    override readonly cause: Error,
    readonly hasBegun: boolean,
  ) {
    super(cause.message);
  }
}

/** The whole answer did not arrive in time. */
class TimeoutError extends Error {
  override readonly name = 'TimeoutError';
}

/**
 * Makes one request and collects its answer.
 *
 * With a custom handler: a stream and an abort signal for every answer cost more than the exchange (docs/adr/0124).
 *
 * @throws FailedExchange because of a TimeoutError after the time given, from the call to the last byte; because of
 *   what undici says, or of an answer for which the others leave no room
 */
export function receiveWhole(
  dispatcher: Dispatcher,
  request: Dispatcher.DispatchOptions,
  { timeoutMs, received }: { readonly timeoutMs: number; readonly received: ReceivedBytes },
): Promise<ReceivedResponse> {
  return new Promise((done, fail) => {
    const handler = new WholeResponse(received.open(), done, fail);
    handler.giveUpAfter(timeoutMs);
    dispatcher.dispatch(request, handler);
  });
}

class WholeResponse implements Dispatcher.DispatchHandler {
  private controller: Dispatcher.DispatchController | undefined;
  private timer: NodeJS.Timeout | undefined;
  private timeout: TimeoutError | undefined;
  private status = 0;
  private headers: IncomingHttpHeaders = {};
  private readonly chunks: Buffer[] = [];

  constructor(
    private readonly share: ReceivedShare,
    private readonly done: (response: ReceivedResponse) => void,
    private readonly fail: (error: Error) => void,
  ) {}

  giveUpAfter(timeoutMs: number): void {
    this.timer = setTimeout(() => {
      this.timeout = new TimeoutError(`no answer within ${timeoutMs} ms`);
      this.failBecause(this.timeout);
      this.controller?.abort(this.timeout);
    }, timeoutMs);
  }

  /** Right before the first byte is written, on a connection that was made and checked. */
  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.controller = controller;
    // It waited too long for a connection and has already failed.
    if (this.timeout !== undefined) controller.abort(this.timeout);
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: IncomingHttpHeaders,
  ): void {
    // The final answer replaces informational ones (1xx).
    this.status = status;
    this.headers = headers;
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.share.admit(chunk.length)) this.chunks.push(chunk);
    else controller.abort(new errors.ResponseExceededMaxSizeError());
  }

  onResponseEnd(): void {
    clearTimeout(this.timer);
    const [first] = this.chunks;
    const body = this.chunks.length === 1 && first !== undefined ? first : Buffer.concat(this.chunks);
    this.share.release();
    this.done({ status: this.status, headers: this.headers, body });
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    clearTimeout(this.timer);
    this.share.release();
    this.failBecause(error);
  }

  private failBecause(error: Error): void {
    this.fail(new FailedExchange(error, this.controller !== undefined));
  }
}
