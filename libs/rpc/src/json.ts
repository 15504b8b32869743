import { isUtf8 } from 'node:buffer';
import { readJsonText } from './json-text.js';
import { FramingError } from './rpc-error.js';

/**
 * Reads JSON as `readJsonText`, and bytes only when they are valid UTF-8.
 *
 * @param body - text, or its bytes
 * @param maxDepth - how deep it may nest
 * @returns the value
 * @throws FramingError PARSE_ERROR when it is not JSON, INVALID_REQUEST when it breaks a bound
 */
export function readJson(body: Uint8Array | string, maxDepth: number): unknown {
  return readJsonText(typeof body === 'string' ? body : decodeUtf8(body), maxDepth);
}

function decodeUtf8(body: Uint8Array): string {
  if (!isUtf8(body)) throw new FramingError('PARSE_ERROR', 'parse error: the body is not UTF-8');
  return Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('utf8');
}
