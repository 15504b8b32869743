import { EtcdError } from '../etcd-error.js';

const NEWLINE = 0x0a;

/**
 * Lines of a stream, without empty ones. An incomplete last line is dropped.
 * @throws EtcdError too-large for a line of more than maxBytes, before more of it is kept
 */
export async function* linesOf(
  chunks: AsyncIterable<Buffer>,
  maxBytes: number,
  endpoint: string,
): AsyncGenerator<Buffer> {
  let parts: Buffer[] = [];
  let size = 0;
  for await (const chunk of chunks) {
    let rest = chunk;
    for (let at = rest.indexOf(NEWLINE); at !== -1; at = rest.indexOf(NEWLINE)) {
      if (size + at > maxBytes) throw tooLong(endpoint, maxBytes);
      const line = Buffer.concat([...parts, rest.subarray(0, at)]);
      [parts, size, rest] = [[], 0, rest.subarray(at + 1)];
      if (line.length > 0) yield line;
    }
    size += rest.length;
    if (size > maxBytes) throw tooLong(endpoint, maxBytes);
    if (rest.length > 0) parts.push(rest);
  }
}

function tooLong(endpoint: string, maxBytes: number): EtcdError {
  return new EtcdError('too-large', `${endpoint}: a line of the watch has more than ${maxBytes} bytes`);
}
