const JSON_TYPE = 'application/json';
/** Media types of JSON-RPC over HTTP; other letter cases and a charset are read below. */
const MEDIA_TYPES = [JSON_TYPE, 'application/json-rpc', 'application/jsonrequest'];

/** In lower case, quoted or not; a parameter that only resembles one of these may mean another to other software. */
const UTF_8 = ['charset=utf-8', 'charset="utf-8"', 'charset=utf8', 'charset="utf8"'];

/**
 * The problem with the content type of a JSON-RPC body; undefined when the body may be read.
 *
 * A web page can send a body to any origin unasked as long as it has no content type or one of a form
 * (https://fetch.spec.whatwg.org/#cors-safelisted-request-header), so a body must say that it is JSON.
 */
export function contentTypeProblem(header: string | undefined): string | undefined {
  if (header === JSON_TYPE) return undefined;
  const [type = '', ...parameters] = (header ?? '').split(';').map((part) => part.trim().toLowerCase());
  if (!MEDIA_TYPES.includes(type)) return 'Content-Type must be application/json';
  const isUtf8 = parameters.every((one) => !one.includes('charset') || UTF_8.includes(one));
  return isUtf8 ? undefined : 'the charset of application/json is utf-8';
}
