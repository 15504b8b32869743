import { authorization } from './call-node.js';

/** Longer than the server waits for a service. Units: ms */
const PATIENCE_MS = 660_000;

/** No cookies, no other address, nothing kept. The types of Node.js do not have `cache`. */
const SEND_ONCE = { method: 'POST', credentials: 'omit', redirect: 'error', cache: 'no-store' } as const;

/** What became of a write. */
export type WriteOutcome =
  | { readonly kind: 'done'; readonly result: string | null }
  /** By the service. */
  | { readonly kind: 'refused'; readonly message: string }
  /** It never reached the service. */
  | { readonly kind: 'unsent'; readonly message: string }
  | { readonly kind: 'unknown'; readonly message: string };

/** Sends the text once. Never fails, and never sends it again: what has no clear answer is unknown. */
export async function sendWrite(path: string, text: string): Promise<WriteOutcome> {
  try {
    const response = await fetch(path, {
      ...SEND_ONCE,
      body: text,
      signal: AbortSignal.timeout(PATIENCE_MS),
      headers: { ...authorization(), 'content-type': 'application/json' },
    });
    return writeOutcomeOf(response.status, await response.json());
  } catch {
    return { kind: 'unknown', message: 'the console gave no answer' };
  }
}

/** What the server's answer says. */
export function writeOutcomeOf(status: number, body: unknown): WriteOutcome {
  const { result, refusal, error } = (body ?? {}) as Readonly<Record<string, unknown>>;
  if (status === 200 && typeof refusal === 'string') return { kind: 'refused', message: refusal };
  if (status === 200 && (typeof result === 'string' || result === null)) return { kind: 'done', result };
  const message = typeof error === 'string' ? error : `HTTP status ${status}`;
  return { kind: (status >= 400 && status < 500) || status === 502 ? 'unsent' : 'unknown', message };
}
