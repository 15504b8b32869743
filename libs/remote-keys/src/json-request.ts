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
 * One request whose answer is JSON.
 *
 * @param where - for errors, which hold neither the request nor the answer
 * @throws RemoteKeyError UNREACHABLE, FAILED
 */
export async function requestJson(
  url: string,
  init: Pick<RequestInit, 'method' | 'headers' | 'body'>,
  { signal, where }: { readonly signal: AbortSignal; readonly where: string },
): Promise<JsonAnswer> {
  try {
    // Credentials are for this host alone.
    const response = await fetch(url, { ...init, signal, redirect: 'error' });
    return { status: response.status, body: jsonOf(await readBounded(response, where)) };
  } catch (error) {
    if (error instanceof RemoteKeyError) throw error;
    const { code } = ((error as Error).cause ?? {}) as NodeJS.ErrnoException;
    if (code !== undefined && NOT_CONNECTED.has(code))
      throw new RemoteKeyError('UNREACHABLE', `${where}: ${code}`);
    throw new RemoteKeyError('FAILED', `${where}: ${code ?? 'no answer'}`);
  }
}

async function readBounded(response: Response, where: string): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
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
