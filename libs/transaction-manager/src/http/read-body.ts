import type { IncomingMessage } from 'node:http';
import { TetradError } from '@tetrad/types';

/** The body of a request is longer than it may be. */
export class BodyTooLongError extends TetradError {
  override readonly name = 'BodyTooLongError';
  override readonly code = 'MANAGER_BODY_TOO_LONG';

  constructor(readonly maxBytes: number) {
    super(`the body exceeds ${maxBytes} bytes`, { data: { maxBytes } });
  }
}

/** Bodies and answers take all the memory that they may. */
export class NoRoomError extends TetradError {
  override readonly name = 'NoRoomError';
  override readonly code = 'MANAGER_OVERLOADED';

  constructor() {
    super('requests and answers take all the memory they may');
  }
}

/**
 * Reads a body. What it takes of the budget is the caller's to give back, also when this fails.
 * @param take - takes bytes of the budget
 * @throws BodyTooLongError, at the byte that is too many at the latest; NoRoomError
 */
export async function readBody(
  request: IncomingMessage,
  maxBytes: number,
  take: (bytes: number) => boolean,
): Promise<Buffer> {
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) throw new BodyTooLongError(maxBytes);
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > maxBytes) throw new BodyTooLongError(maxBytes);
    if (!take(chunk.length)) throw new NoRoomError();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
