/** Header names in lower case → value, or values of a header that stands more than once. */
export type Headers = Readonly<Record<string, string | readonly string[] | undefined>>;

/** Headers that speak about one connection (RFC 9110, section 7.6.1), and what HTTP clients set themselves. */
const OF_THE_CONNECTION = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'content-length',
  'expect',
]);

/** The Ethereum client does not get the origin of the page: CORS was decided here. */
const NOT_FOR_THE_CLIENT = new Set(['origin', 'host', 'x-forwarded-host']);

/** Which pages may read an answer is decided here too. */
const NOT_FOR_THE_CALLER = new Set(['access-control-allow-origin']);

/** Headers about the bytes of a body that the proxy writes itself. */
const OF_THE_BODY = new Set(['content-type', 'content-encoding', 'accept', 'accept-encoding']);

/**
 * The caller's headers as the Ethereum client gets them; the host he asked for as `x-forwarded-host`.
 *
 * Source: docs/spec/signing-proxy.md#forwarding
 *
 * @param withhold - further names that stay here
 */
export function headersForClient(
  headers: Headers,
  withhold: readonly string[] = [],
): Record<string, string | string[]> {
  return withHost(
    headers,
    keep(headers, (name) => !NOT_FOR_THE_CLIENT.has(name) && !withhold.includes(name)),
  );
}

/** As `headersForClient`, for a body that the proxy writes. */
export function headersForOwnBody(
  headers: Headers,
  withhold: readonly string[] = [],
): Record<string, string | string[]> {
  const kept = keep(
    headers,
    (name) => !NOT_FOR_THE_CLIENT.has(name) && !OF_THE_BODY.has(name) && !withhold.includes(name),
  );
  kept['content-type'] = 'application/json';
  return withHost(headers, kept);
}

/** The Ethereum client's headers as the caller gets them. */
export function headersForCaller(headers: Headers): Record<string, string | string[]> {
  return keep(headers, (name) => !NOT_FOR_THE_CALLER.has(name));
}

function withHost(
  { host }: Headers,
  kept: Record<string, string | string[]>,
): Record<string, string | string[]> {
  const [asked] = [host ?? []].flat();
  if (asked !== undefined) kept['x-forwarded-host'] = asked;
  return kept;
}

function keep(headers: Headers, wanted: (name: string) => boolean): Record<string, string | string[]> {
  const named = namedByConnection(headers['connection']);
  const kept: Record<string, string | string[]> = {};
  for (const name of Object.keys(headers)) {
    const value = headers[name];
    if (value === undefined || OF_THE_CONNECTION.has(name) || named.includes(name) || !wanted(name)) continue;
    kept[name] = typeof value === 'string' ? value : valuesOf(value);
  }
  return kept;
}

/** One value by itself: an HTTP client may want some headers to be text. */
function valuesOf(values: readonly string[]): string | string[] {
  const [first] = values;
  return values.length === 1 && first !== undefined ? first : [...values];
}

/** Headers that are about the connection because it says so. */
function namedByConnection(value: Headers[string]): readonly string[] {
  return [value ?? []].flat().flatMap((list) =>
    list === 'keep-alive'
      ? []
      : list
          .toLowerCase()
          .split(',')
          .map((name) => name.trim()),
  );
}
