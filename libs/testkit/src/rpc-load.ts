import { readJson, writeJson } from '@tetrad/rpc';
import { Pool } from 'undici';

/** The outcome of one call, in the order in which the calls were given. */
export interface CallOutcome {
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string };
  /** Set when no answer came. */
  readonly lost?: string;
  readonly milliseconds: number;
}

export interface LoadOptions {
  readonly url: string;
  readonly connections: number;
  readonly method: string;
  /** Called with the index of each answered call. */
  readonly onAnswer?: (index: number, outcome: CallOutcome) => void;
  /** Ends the load early. */
  readonly signal?: AbortSignal;
}

interface Answer {
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string };
}

/** Makes one call per entry over so many connections, each busy with one call at a time. */
export async function runLoad(
  params: readonly (readonly unknown[])[],
  options: LoadOptions,
): Promise<CallOutcome[]> {
  const { origin, pathname } = new URL(options.url);
  const pool = new Pool(origin, { connections: options.connections, pipelining: 1 });
  const outcomes: CallOutcome[] = [];
  let next = 0;
  const work = async () => {
    while (next < params.length && options.signal?.aborted !== true) {
      const index = next++;
      const outcome = await callOnce(pool, pathname, {
        method: options.method,
        index,
        params: params[index] ?? [],
      });
      outcomes[index] = outcome;
      options.onAnswer?.(index, outcome);
    }
  };
  await Promise.all(Array.from({ length: options.connections }, work));
  await pool.close();
  return outcomes;
}

async function callOnce(
  pool: Pool,
  path: string,
  { method, index, params }: { method: string; index: number; params: readonly unknown[] },
): Promise<CallOutcome> {
  const started = performance.now();
  const elapsed = () => performance.now() - started;
  try {
    const { body } = await pool.request({
      method: 'POST',
      path,
      headers: { 'content-type': 'application/json' },
      body: writeJson({ jsonrpc: '2.0', id: index, method, params }),
    });
    const { result, error } = readJson(new Uint8Array(await body.arrayBuffer()), 64) as Answer;
    return error === undefined ? { result, milliseconds: elapsed() } : { error, milliseconds: elapsed() };
  } catch (error) {
    return { lost: error instanceof Error ? error.message : String(error), milliseconds: elapsed() };
  }
}

/** The value below which the share of the sorted values lies. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}
