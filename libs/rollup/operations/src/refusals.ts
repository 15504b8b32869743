import type { Refusal } from '@tetrad/rollup-store';
import { RequestError } from '@tetrad/types';
import type { QueuePace } from './queue-pace.js';

/** Tells callers what the bounds of the operator refuse (docs/adr/0251), and when to come again. */
export class Refusals {
  constructor(private readonly pace: Pick<QueuePace, 'retryAfterMs'>) {}

  /**
   * @param refusal - of the store
   * @param who - whose operation it is, for people
   * @returns RequestError (QUOTA_EXCEEDED, QUEUE_FULL)
   */
  async errorOf(refusal: Refusal, who: string): Promise<RequestError> {
    if (refusal.refused === 'QUOTA_EXCEEDED') {
      const { quota, retryAfterMs } = refusal;
      const { operations: limit, windowMs } = quota;
      const text = `${who} has had the ${limit} operations of ${durationOf(windowMs)}; the next may come in ${durationOf(retryAfterMs)}`;
      return new RequestError('QUOTA_EXCEEDED', text, { limit, windowMs, retryAfterMs });
    }
    const { maxPending: limit } = refusal;
    const retryAfterMs = await this.pace.retryAfterMs(limit);
    const text = `the queue is full for ${who}: it is for ${limit} operations of all; try again in ${durationOf(retryAfterMs)}`;
    return new RequestError('QUEUE_FULL', text, { limit, retryAfterMs });
  }
}

const [SECOND_MS, MINUTE_MS, HOUR_MS] = [1_000, 60_000, 3_600_000];

/** In the largest unit of which there are two or more, rounded up. */
function durationOf(ms: number): string {
  if (ms >= 2 * HOUR_MS) return `${Math.ceil(ms / HOUR_MS)} h`;
  if (ms >= 2 * MINUTE_MS) return `${Math.ceil(ms / MINUTE_MS)} min`;
  return `${Math.ceil(ms / SECOND_MS)} s`;
}
