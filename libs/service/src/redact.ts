import { types } from 'node:util';
import { hexFromBytes } from '@tetrad/types';
import { Secret } from './secret.js';

const REDACTED = '[redacted]';
const SECRET_KEY =
  /^(.*(password|passphrase|mnemonic|private_?key|secret)|authorization|cookie|jwt|token|(access|auth|bearer)_?token|key_?pair)$/i;
const URL_PASSWORD = /(\b[a-z][a-z0-9+.-]{0,30}:\/\/[^\s/:@]{0,8192}:)[^\s/@]{1,8192}@/gi;
const BEARER = /\b(bearer\s+)[\w.~+/=-]+/gi;

const MAX_DEPTH = 6;
const MAX_ITEMS = 100;
const MAX_TEXT = 8_192;
const MAX_BYTES = 64;

/**
 * The value as JSON, without secrets: values under keys such as `password`, passwords in URLs and bearer tokens
 * are replaced, long values are cut. A safeguard behind the rule that secrets are not logged at all.
 */
export function redact(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return redactText(value);
  if (typeof value === 'bigint') return value.toString();
  if (typeof value === 'function' || typeof value === 'symbol') return String(value.toString()).slice(0, 80);
  if (value === null || typeof value !== 'object') return value;
  if (value instanceof Secret) return value.toString();
  if (value instanceof Date) return value.toISOString();
  if (value instanceof URL) return redactText(value.href);
  if (value instanceof Uint8Array) return formatBytes(value);
  if (depth >= MAX_DEPTH) return '[deeper]';
  if (types.isNativeError(value) || value instanceof Error) return redactError(value, depth);
  if (Array.isArray(value)) return redactList(value, depth);
  if (value instanceof Map) return redactFields(Object.fromEntries(value), depth);
  if (value instanceof Set) return redactList([...value], depth);
  return redactFields(value, depth);
}

function redactText(text: string): string {
  const clean = text.replace(URL_PASSWORD, `$1${REDACTED}@`).replace(BEARER, `$1${REDACTED}`);
  return clean.length <= MAX_TEXT ? clean : `${clean.slice(0, MAX_TEXT)}… (${clean.length} characters)`;
}

function formatBytes(bytes: Uint8Array): string {
  return bytes.length <= MAX_BYTES
    ? hexFromBytes(bytes)
    : `${hexFromBytes(bytes.subarray(0, MAX_BYTES))}… (${bytes.length} bytes)`;
}

function redactError(error: Error, depth: number): unknown {
  const { name, message, stack, cause, ...own } = error;
  return {
    name,
    message: redactText(message),
    ...(redactFields(own, depth) as object),
    ...(cause === undefined ? {} : { cause: redact(cause, depth + 1) }),
    ...(stack === undefined ? {} : { stack: redactText(stack) }),
  };
}

function redactList(items: readonly unknown[], depth: number): unknown[] {
  const kept = items.slice(0, MAX_ITEMS).map((item) => redact(item, depth + 1));
  return items.length > MAX_ITEMS ? [...kept, `… (${items.length} items)`] : kept;
}

function redactFields(value: object, depth: number): unknown {
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [
      key,
      SECRET_KEY.test(key) && item !== undefined ? REDACTED : redact(item, depth + 1),
    ]),
  );
}
