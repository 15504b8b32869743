import type { IncomingMessage, ServerResponse } from 'node:http';

/** Limits for reading the rest of a refused body: bytes and time. */
const LINGER_BYTES = 16 * 1024 * 1024;
const LINGER_MS = 5_000;

/**
 * Answers with the text, and ends the connection once the client has sent its body to the end or enough of it. A
 * connection that is closed on a client who still sends is reset, and the answer is lost (RFC 9112, section 9.6).
 * @param response - with its head written, which announces that the connection closes
 */
export function endLingering(request: IncomingMessage, response: ServerResponse, text: string): void {
  const { headers } = request;
  const isBodyToCome = headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;
  if (!isBodyToCome || request.readableEnded) return void response.end(text);
  response.write(text);
  let left = LINGER_BYTES;
  const end = () => {
    clearTimeout(timer);
    request.off('data', count).off('end', end).off('close', end).resume();
    response.end();
  };
  const count = ({ length }: Buffer) => {
    left -= length;
    if (left < 0) end();
  };
  const timer = setTimeout(end, LINGER_MS);
  request.on('data', count).on('end', end).on('close', end);
}
