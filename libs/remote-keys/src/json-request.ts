import { Agent, request } from 'undici';
import { RemoteKeyError } from './remote-key-error.js';

/** Far above what answers about a key take. */
const MAX_BYTES = 65_536;

/** The connection was not made, so that nothing was signed. */
const NOT_CONNECTED = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
]);

export interface JsonAnswer {
  readonly status: number;
  /** Undefined when it is not JSON. */
  readonly body: unknown;
}

/**
 * Connections to services stay open between calls, as many to one as `RemoteServices` calls at a time. They end before the services
 * end them, after minutes, or when the services say.
 */
const CONNECTIONS = new Agent({ connections: 64, keepAliveTimeout: 30_000 });

export interface JsonRequest {
  /** `GET` by default. */
  readonly method?: 'POST' | 'PUT';
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/**
 * One request whose answer is JSON. Redirections are not followed, since credentials are for this host alone.
 *
 * @param where - for errors, which hold neither the request nor the answer
 * @throws RemoteKeyError UNREACHABLE, FAILED
 */
export async function requestJson(
  url: string,
  sent: JsonRequest,
  { signal, where }: { readonly signal: AbortSignal; readonly where: string },
): Promise<JsonAnswer> {
  try {
    const response = await request(url, { ...sent, signal, dispatcher: CONNECTIONS });
    return { status: response.statusCode, body: jsonOf(await readBounded(response.body, where)) };
  } catch (error) {
    if (error instanceof RemoteKeyError) throw error;
    const { code } = error as { readonly code?: unknown };
    if (typeof code !== 'string') throw new RemoteKeyError('FAILED', `${where}: no answer`);
    throw new RemoteKeyError(NOT_CONNECTED.has(code) ? 'UNREACHABLE' : 'FAILED', `${where}: ${code}`);
  }
}

/** Leaving the loop ends the connection. */
async function readBounded(body: AsyncIterable<Buffer>, where: string): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.length;
    if (bytes > MAX_BYTES)
      throw new RemoteKeyError('FAILED', `${where}: an answer of more than ${MAX_BYTES} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
