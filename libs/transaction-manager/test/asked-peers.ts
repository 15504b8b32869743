import { VirtualClock } from '@tetrad/testkit';
import { PeerUnreachableError, type PeerAnswer } from '../src/party/peer-client.js';

/** A request for everything to a peer that is not there. */
export interface Asked {
  readonly url: string;
  readonly path: string;
  readonly batchSize: number | undefined;
  /** By the clock; undefined while the peer has not answered. */
  tookMs: number | undefined;
}

/** What a peer sends before it answers, and its answer; `silence` never comes. */
export type Resend = (asked: Asked) => Promise<readonly [status: number, text: string] | 'unreachable'>;

export const silence: Resend = () => new Promise(() => undefined);

/** Peers of a manager that asks them to resend, in virtual time. */
export function askedPeers(resend: Resend) {
  const clock = new VirtualClock();
  const asked: Asked[] = [];
  const peers = {
    async postJson(url: string, path: string, body: object, timeoutMs?: number, signal?: AbortSignal) {
      const { batchSize } = body as { readonly batchSize?: number };
      const one: Asked = { url, path, batchSize, tookMs: undefined };
      asked.push(one);
      const began = clock.now();
      // As the client does, which waits for the first byte of an answer.
      const over = new Promise<'unreachable'>((end) => {
        signal?.addEventListener('abort', () => end('unreachable'));
        if (timeoutMs !== undefined) clock.schedule(timeoutMs, () => end('unreachable'));
      });
      const answer = await Promise.race([resend(one), over]);
      one.tookMs = clock.now() - began;
      if (answer === 'unreachable') throw new PeerUnreachableError(url);
      const [status, text] = answer;
      return { status, text, headers: {} } satisfies PeerAnswer;
    },
  };
  /** Lets time pass until the condition holds, for a day at most. */
  const runUntil = (isDone: () => boolean) => clock.runUntil(clock.now() + 86_400_000, isDone);
  return { clock, peers, asked, runUntil };
}
