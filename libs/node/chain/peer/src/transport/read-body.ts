import type { IncomingMessage } from 'node:http';
import { TetradError } from '@tetrad/types';

/** The body did not arrive whole and in time. */
export class BodyError extends TetradError {
  override readonly name = 'BodyError';
  override readonly code = 'INCOMPLETE_BODY';
}

/** The declared length of the body; undefined when none is declared, as with chunked bodies. */
export function declaredLength(request: IncomingMessage): number | undefined {
  const text = request.headers['content-length'];
  return text !== undefined && /^\d{1,12}$/.test(text) ? Number(text) : undefined;
}

/**
 * The whole body, of the declared length.
 * @param options.timeoutMs - in which all of it must arrive
 * @throws BodyError
 */
export function readBody(
  request: IncomingMessage,
  { length, timeoutMs }: { length: number; timeoutMs: number },
): Promise<Uint8Array> {
  return new Promise((done, fail) => {
    const body = Buffer.allocUnsafe(length);
    let received = 0;
    // Also called by 'close' after a whole body, for which no error must be made: a stack trace for each message.
    let isSettled = false;
    const finish = (failure?: string) => {
      if (isSettled) return;
      isSettled = true;
      clearTimeout(deadline);
      request.removeAllListeners('data');
      if (failure === undefined) done(body);
      else fail(new BodyError(failure));
    };
    const deadline = setTimeout(() => finish('too slow'), timeoutMs);
    request.on('data', (chunk: Buffer) => {
      // Node ends the body at the declared length, so the chunks never run over it.
      received += chunk.copy(body, received);
    });
    request.once('end', () => finish(received === length ? undefined : 'truncated'));
    request.once('error', () => finish('connection closed early'));
    request.once('close', () => finish('connection closed early'));
  });
}
