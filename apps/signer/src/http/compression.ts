import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';

/** Below this a packet carries the body as it is. */
const LEAST_BYTES = 1_400;

const compress = promisify(gzip);

/** A status with headers, names in lower case, and a body. */
export interface Answer {
  readonly status: number;
  readonly headers: OutgoingHttpHeaders;
  readonly body: Uint8Array | string;
}

/**
 * Whether the answer is sent compressed: the caller accepts gzip, the body is large enough, and its headers do not
 * forbid a transformation.
 *
 * Source: docs/spec/signing-proxy.md#routes; RFC 9110, sections 7.7 and 12.5.3
 */
export function isToBeCompressed({ headers, body }: Answer, request: IncomingMessage): boolean {
  return (
    body.length >= LEAST_BYTES &&
    request.method !== 'HEAD' &&
    ['content-encoding', 'content-range', 'etag'].every((name) => headers[name] === undefined) &&
    !/\bno-transform\b/i.test(String(headers['cache-control'] ?? '')) &&
    acceptsGzip(request.headers['accept-encoding'])
  );
}

/** The same answer in gzip. */
export async function compressed({ status, headers, body }: Answer): Promise<Answer> {
  const vary = [headers['vary'] ?? [], 'Accept-Encoding'].flat().join(', ');
  return { status, headers: { ...headers, 'content-encoding': 'gzip', vary }, body: await compress(body) };
}

/** @param accepted - value of Accept-Encoding. What it says of gzip goes before what it says of anything. */
export function acceptsGzip(accepted: string | string[] | undefined): boolean {
  const codings = new Map(
    [accepted ?? []]
      .flat()
      .join(',')
      .toLowerCase()
      .split(',')
      .map((entry) => {
        const [coding = '', ...parameters] = entry.split(';').map((part) => part.trim());
        const weight = parameters.find((parameter) => /^q\s*=/.test(parameter));
        return [coding, weight === undefined ? 1 : Number(weight.replace(/^q\s*=/, ''))];
      }),
  );
  return (codings.get('gzip') ?? codings.get('x-gzip') ?? codings.get('*') ?? 0) > 0;
}
