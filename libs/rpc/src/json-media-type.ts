const JSON_TYPE = 'application/json';
/** Media types of JSON-RPC over HTTP, in lower case. */
const MEDIA_TYPES = [JSON_TYPE, 'application/json-rpc', 'application/jsonrequest'];

/** In lower case, quoted or not; a parameter that only resembles one of these may mean another to other software. */
const UTF_8 = ['charset=utf-8', 'charset="utf-8"', 'charset=utf8', 'charset="utf8"'];

/**
 * The problem with the content type of a JSON-RPC body; undefined when the body may be read.
 *
 * The media type does not matter: clients send text/plain, the type of forms, or none, and Go's JSON-RPC servers look at none.
 * A web page of another origin is recognised by its Origin, which browsers send with every POST (docs/adr/0068). A charset
 * other than UTF-8 is refused, because the same bytes are another text in it.
 *
 * @param header the value of Content-Type
 * @returns the problem as the client reads it
 */
export function contentTypeProblem(header: string | undefined): string | undefined {
  if (header === undefined || header === JSON_TYPE) return undefined;
  const { parameters } = partsOf(header);
  const isUtf8 = parameters.every((one) => !one.includes('charset') || UTF_8.includes(one));
  return isUtf8 ? undefined : 'the charset of a JSON-RPC body is utf-8';
}

/**
 * Whether a content type says JSON, whatever its parameters.
 *
 * @param header the value of Content-Type
 */
export function isJsonMediaType(header: string | undefined): boolean {
  return header === JSON_TYPE || MEDIA_TYPES.includes(partsOf(header ?? '').type);
}

function partsOf(header: string): { readonly type: string; readonly parameters: readonly string[] } {
  const [type = '', ...parameters] = header.split(';').map((part) => part.trim().toLowerCase());
  return { type, parameters };
}
