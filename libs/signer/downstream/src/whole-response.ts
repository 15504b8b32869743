import type { IncomingHttpHeaders } from 'node:http';
import type { Dispatcher } from 'undici';

/** The answer as it came, all of it. */
export interface ReceivedResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Uint8Array;
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
 * @throws TimeoutError after the time given, from the call to the last byte; as undici
 */
export function receiveWhole(
  dispatcher: Dispatcher,
  request: Dispatcher.DispatchOptions,
  timeoutMs: number,
): Promise<ReceivedResponse> {
  return new Promise((done, fail) => {
    const handler = new WholeResponse(done, fail);
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
    private readonly done: (response: ReceivedResponse) => void,
    private readonly fail: (error: Error) => void,
  ) {}

  giveUpAfter(timeoutMs: number): void {
    this.timer = setTimeout(() => {
      this.timeout = new TimeoutError(`no answer within ${timeoutMs} ms`);
      this.fail(this.timeout);
      this.controller?.abort(this.timeout);
    }, timeoutMs);
  }

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

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.chunks.push(chunk);
  }

  onResponseEnd(): void {
    clearTimeout(this.timer);
    const [first] = this.chunks;
    const body = this.chunks.length === 1 && first !== undefined ? first : Buffer.concat(this.chunks);
    this.done({ status: this.status, headers: this.headers, body });
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    clearTimeout(this.timer);
    this.fail(error);
  }
}
