import { createReadStream } from 'node:fs';
import { mkdir, open, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CircuitError } from '../circuit-cache.js';
import { checkPoints, type CheckOptions } from './check-points.js';
import { G1_FILE, G2_FILE, POINT_BYTES, assertPinnedPoints, readPinnedG2 } from './points-file.js';

/** A source that sends nothing for so long is given up. */
const STALLED_MS = 30_000;

export interface FetchOptions extends Pick<CheckOptions, 'count' | 'onProgress'> {
  /** `http://…`, `https://…`, or a path: points as x (32) ‖ y (32), big-endian, from the first one on. */
  readonly from: string;
  /** Folder that gets the points; it is made when it is not there. */
  readonly folder: string;
  /** Milliseconds without a byte, after which a source is given up. */
  readonly stalledMs?: number;
}

/**
 * Takes the first points of a file, and checks them before they get the name that `bb` reads: neither the source nor the
 * way from it has to be trusted.
 *
 * Bounds: reads no more bytes than the points have, whatever the source sends
 * Fails:  CircuitError; the folder is as it was then
 */
export async function fetchPoints({
  from,
  folder,
  count,
  onProgress,
  stalledMs,
}: FetchOptions): Promise<void> {
  await mkdir(folder, { recursive: true });
  // Below the folder, so that renaming is atomic, and with the name that is checked.
  const temporary = join(folder, `.points-${process.pid}.tmp`);
  await rm(temporary, { recursive: true, force: true });
  await mkdir(temporary);
  try {
    const path = join(temporary, G1_FILE);
    await copyPoints(openSource(from, count * POINT_BYTES, stalledMs ?? STALLED_MS), path, {
      from,
      count,
    });
    await assertPinnedPoints(temporary);
    await checkPoints(path, { count, ...(onProgress === undefined ? {} : { onProgress }) });
    await writeFile(join(temporary, G2_FILE), await readPinnedG2());
    for (const name of [G2_FILE, G1_FILE]) await rename(join(temporary, name), join(folder, name));
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
}

async function copyPoints(
  source: AsyncIterable<Uint8Array>,
  path: string,
  { from, count }: { readonly from: string; readonly count: number },
): Promise<void> {
  const wanted = count * POINT_BYTES;
  const file = await open(path, 'wx');
  let bytes = 0;
  try {
    for await (const chunk of source) {
      const some = chunk.subarray(0, wanted - bytes);
      await file.write(some);
      bytes += some.length;
      if (bytes === wanted) break;
    }
    await file.sync();
  } catch (error) {
    if (error instanceof CircuitError) throw error;
    throw new CircuitError(`${from}: ${(error as Error).message}`, { cause: error });
  } finally {
    await file.close();
  }
  if (bytes < wanted)
    throw new CircuitError(`${from} has ${Math.floor(bytes / POINT_BYTES)} points, not ${count}`);
}

function openSource(from: string, bytes: number, stalledMs: number): AsyncIterable<Uint8Array> {
  return /^https?:\/\//.test(from)
    ? openUrl(from, bytes, stalledMs)
    : createReadStream(from, { end: bytes - 1 });
}

/** The first bytes; each chunk gives the source more time. Fails: CircuitError */
async function* openUrl(url: string, bytes: number, stalledMs: number): AsyncGenerator<Uint8Array> {
  const limit = new AbortController();
  const timer = setTimeout(() => limit.abort(new Error(`no byte in ${stalledMs} ms`)), stalledMs);
  try {
    // A server that does not know ranges sends all, of which no more is read.
    const headers = { range: `bytes=0-${bytes - 1}` };
    const answer = await fetch(url, { headers, signal: limit.signal }).catch((error: unknown) => {
      throw new CircuitError(`${url} cannot be fetched: ${reasonOf(error)}`, { cause: error });
    });
    if (!answer.ok || answer.body === null)
      throw new CircuitError(`${url} answers with status ${answer.status}`);
    for await (const chunk of answer.body) {
      timer.refresh();
      yield chunk;
    }
  } finally {
    clearTimeout(timer);
    limit.abort();
  }
}

function reasonOf(error: unknown): string {
  const { message, cause } = error as {
    readonly message: string;
    readonly cause?: { readonly message?: string };
  };
  return cause?.message ?? message;
}
