import { createReadStream } from 'node:fs';
import { CircuitError } from '../circuit-cache.js';

/** A source that sends nothing for so long is given up. */
const STALLED_MS = 30_000;
/** One that is slower than this from its beginning to its end is given up as well: it could send a byte now and then for ever. */
const LEAST_BYTES_A_SECOND = 16_384;
const MS = 1_000;

/** What bounds the time that a source may take. */
export interface SourceLimits {
  /** Milliseconds without a byte. */
  readonly stalledMs?: number | undefined;
  readonly leastBytesASecond?: number | undefined;
}

/**
 * Opens what points are read from. Who stops reading ends it.
 *
 * @param from - `http://…`, `https://…`, or a path, also that of a pipe
 * @param bytes - that are asked for at most; a server may send more
 * @param limits - of time
 * @returns its bytes in chunks
 * @throws CircuitError when it cannot be read, or takes too long
 */
export async function* openSource(
  from: string,
  bytes: number,
  { stalledMs = STALLED_MS, leastBytesASecond = LEAST_BYTES_A_SECOND }: SourceLimits = {},
): AsyncGenerator<Uint8Array> {
  const limit = new AbortController();
  const totalMs = stalledMs + Math.ceil((bytes * MS) / leastBytesASecond);
  const stall = setTimeout(() => limit.abort(new Error(`no byte in ${stalledMs} ms`)), stalledMs);
  const total = setTimeout(
    () => limit.abort(new Error(`slower than ${leastBytesASecond} bytes a second`)),
    totalMs,
  );
  try {
    const isUrl = /^https?:\/\//.test(from);
    const source = isUrl ? await openUrl(from, bytes, limit.signal) : openFile(from, limit.signal);
    for await (const chunk of source) {
      stall.refresh();
      yield chunk;
    }
  } catch (error) {
    if (error instanceof CircuitError) throw error;
    throw new CircuitError(`${from}: ${reasonOf(limit.signal.aborted ? limit.signal.reason : error)}`, {
      cause: error,
    });
  } finally {
    clearTimeout(stall);
    clearTimeout(total);
    limit.abort();
  }
}

const openFile = (path: string, signal: AbortSignal): AsyncIterable<Uint8Array> =>
  createReadStream(path, { signal });

/** @throws CircuitError */
async function openUrl(url: string, bytes: number, signal: AbortSignal): Promise<AsyncIterable<Uint8Array>> {
  // A server that does not know ranges sends all, of which no more is read.
  const headers = { range: `bytes=0-${bytes - 1}` };
  const answer = await fetch(url, { headers, signal }).catch((error: unknown) => {
    throw new CircuitError(`${url} cannot be fetched: ${reasonOf(signal.aborted ? signal.reason : error)}`, {
      cause: error,
    });
  });
  if (!answer.ok || answer.body === null)
    throw new CircuitError(`${url} answers with status ${answer.status}`);
  return answer.body;
}

function reasonOf(error: unknown): string {
  const { message, cause } = error as {
    readonly message: string;
    readonly cause?: { readonly message?: string };
  };
  return cause?.message ?? message;
}
