import { Pool } from 'undici';
import { TetradError } from '@tetrad/types';
import { formatEndpoint, type Endpoint } from '../identity/enode.js';

/** The peer did not answer. */
export class PeerUnreachableError extends TetradError {
  override readonly name = 'PeerUnreachableError';
  override readonly code = 'PEER_UNREACHABLE';

  /** @param isLate - whether time ran out, as opposed to a connection that failed */
  constructor(
    message: string,
    readonly isLate: boolean,
  ) {
    super(message);
  }
}

export interface PeerPost {
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
  /** For everything, from connecting to the last byte of the answer. */
  readonly timeoutMs: number;
  /** Largest answer that is read. */
  readonly answerBytes: number;
}

export interface PeerAnswer {
  readonly status: number;
  readonly body: Uint8Array;
}

/** Idle connections are closed before the other side does so, which would look like a failure. */
const KEEP_ALIVE_MS = 30_000;

/** HTTP client of one peer, with separate connections, so that a slow peer does not delay others. */
export class PeerClient {
  private readonly pool: Pool;

  constructor(
    readonly endpoint: Endpoint,
    options: { readonly connections: number; readonly connectTimeoutMs: number },
  ) {
    this.pool = new Pool(`http://${formatEndpoint(endpoint)}`, {
      connections: options.connections,
      pipelining: 1,
      keepAliveTimeout: KEEP_ALIVE_MS,
      keepAliveMaxTimeout: KEEP_ALIVE_MS,
      maxHeaderSize: 4_096,
      connect: { timeout: options.connectTimeoutMs },
    });
  }

  /** @throws PeerUnreachableError */
  async post({ path, headers, body, timeoutMs, answerBytes }: PeerPost): Promise<PeerAnswer> {
    // Not AbortSignal.any or .timeout: their garbage adds up at this rate.
    const deadline = new AbortController();
    const timer = setTimeout(() => deadline.abort(), timeoutMs);
    try {
      const { statusCode, body: answer } = await this.pool.request({
        method: 'POST',
        path,
        headers: { 'content-type': 'application/octet-stream', ...headers },
        body,
        headersTimeout: timeoutMs,
        bodyTimeout: timeoutMs,
        signal: deadline.signal,
      });
      return { status: statusCode, body: await readAnswer(answer, answerBytes) };
    } catch (error) {
      if (error instanceof PeerUnreachableError) throw error;
      throw new PeerUnreachableError(describe(error), deadline.signal.aborted);
    } finally {
      clearTimeout(timer);
    }
  }

  /** Aborts running requests. */
  close(): void {
    // It resolves when sockets are closed, which is not awaited.
    this.pool.destroy().catch(() => undefined);
  }
}

async function readAnswer(answer: AsyncIterable<Uint8Array>, most: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of answer) {
    length += chunk.length;
    // Leaving the loop destroys the rest of the answer and its connection.
    if (length > most) throw new PeerUnreachableError('the answer is too large', false);
    chunks.push(chunk);
  }
  return chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks);
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.message === '' ? error.name : error.message;
}
