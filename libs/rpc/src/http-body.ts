import type { IncomingMessage } from 'node:http';

/** Reads the whole body; undefined when it is too large. Never resolves when the client disconnects before the end. */
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
