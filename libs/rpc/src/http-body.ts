import type { IncomingMessage } from 'node:http';

/** Gives the whole body, or undefined when it is too large; nothing when the client goes away in the middle. */
export function readBody(
  request: IncomingMessage,
  maxBytes: number,
  done: (body: Uint8Array | undefined) => void,
): void {
  const chunks: Buffer[] = [];
  let size = 0;
  request.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size > maxBytes) {
      request.removeAllListeners('data').removeAllListeners('end');
      return done(undefined);
    }
    chunks.push(chunk);
  });
  request.on('end', () => done(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)));
  request.on('error', () => undefined);
}
