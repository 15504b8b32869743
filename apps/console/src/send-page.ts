import type { IncomingMessage, ServerResponse } from 'node:http';
import type { PageFile, PageFiles } from './page-files.js';

/**
 * Nothing but the page's own files runs, and no other page may frame it or read what it opens. Images may be in their addresses, as those
 * of wallets are (EIP-6963): they load nothing, and run no scripts.
 */
const SECURITY_HEADERS = {
  'Content-Security-Policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(), geolocation=(), microphone=(), payment=()',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
} as const;

/** Sends a file of the page, or the page itself for the path of a view. */
export function sendPage(files: PageFiles, request: IncomingMessage, response: ServerResponse): void {
  const path = (request.url ?? '/').split('?', 1)[0] ?? '/';
  const file = files.byPath.get(path) ?? (path.startsWith('/assets/') ? undefined : files.index);
  if (file === undefined || !['GET', 'HEAD'].includes(request.method ?? '')) {
    response.writeHead(file === undefined ? 404 : 405, SECURITY_HEADERS).end();
    return;
  }
  const headers = headersOf(file);
  if (request.headers['if-none-match'] === file.etag) response.writeHead(304, headers).end();
  else sendFile(file, headers, request, response);
}

function sendFile(
  { plain, brotli }: PageFile,
  headers: Readonly<Record<string, string>>,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  const accepts = String(request.headers['accept-encoding'] ?? '')
    .split(/[,;\s]+/)
    .includes('br');
  const body = accepts ? brotli : plain;
  const encoding = accepts ? { 'Content-Encoding': 'br' } : {};
  response.writeHead(200, { ...headers, ...encoding, 'Content-Length': body.length });
  response.end(request.method === 'HEAD' ? undefined : body);
}

function headersOf({ type, etag, isImmutable }: PageFile): Record<string, string> {
  return {
    ...SECURITY_HEADERS,
    'Content-Type': type,
    'Cache-Control': isImmutable ? 'public, max-age=31536000, immutable' : 'no-cache',
    ETag: etag,
    Vary: 'Accept-Encoding',
  };
}
