import { hexFromBytes } from '@tetrad/types';
import { Agent } from 'node:http';
import { postJson } from './http-post.js';
import type { LoadMaker } from './load.js';

/** Transactions leave in steps of this length, each by a request of its own. */
const STEP_MS = 20;
/** Unanswered requests at which a load is too high to be kept up. */
const MAX_UNANSWERED = 5_000;

export interface PacedReport {
  readonly sent: number;
  readonly seconds: number;
  /** Milliseconds from when each transaction was due to the answer with its hash. */
  readonly times: readonly number[];
}

/**
 * Sends transfers at a fixed rate, whatever the answers take, so that a slow node is not spared.
 * @param options.rate - transactions a second
 * @throws Error when one is refused, or when too many are without an answer
 */
export async function runPaced(
  url: string,
  maker: LoadMaker,
  { rate, durationMs }: { readonly rate: number; readonly durationMs: number },
): Promise<PacedReport> {
  const agent = new Agent({ keepAlive: true, maxSockets: 256 });
  const times: number[] = [];
  const started = performance.now();
  const answers = new Set<Promise<void>>();
  const failures: unknown[] = [];
  let sent = 0;
  const send = async (raw: Uint8Array, dueMs: number) => {
    const call = { jsonrpc: '2.0', id: 1, method: 'eth_sendRawTransaction', params: [hexFromBytes(raw)] };
    const { error } = (await postJson(url, call, agent)) as { error?: { message: string } };
    if (error !== undefined) throw new Error(`a transaction was refused: ${error.message}`);
    times.push(performance.now() - started - dueMs);
  };
  const leave = (count: number, dueMs: number) => {
    for (const raw of maker.transfers(count)) {
      const answer: Promise<void> = send(raw, dueMs)
        .catch((error: unknown) => void failures.push(error))
        .finally(() => answers.delete(answer));
      answers.add(answer);
    }
    sent += count;
  };
  for (let dueMs = 0; dueMs < durationMs; dueMs += STEP_MS) {
    const early = started + dueMs - performance.now();
    if (early > 0) await new Promise((tick) => setTimeout(tick, early));
    // A step that is late is still made, and its time counts from when it was due.
    else await new Promise((turn) => setImmediate(turn));
    leave(Math.floor((rate * (dueMs + STEP_MS)) / 1_000) - sent, dueMs);
    if (failures.length > 0) break;
    if (answers.size > MAX_UNANSWERED) throw new Error(`${answers.size} transactions are without an answer`);
  }
  await Promise.all(answers);
  agent.destroy();
  if (failures.length > 0) throw failures[0];
  return { sent, seconds: (performance.now() - started) / 1_000, times };
}
