import { describe, expect, it } from '@jest/globals';
import { jobStep, type JobView } from './job-rule.js';
import { jobId } from './proof-queue.js';

const TIMES = { now: 100_000, graceMs: 10_000 };
const job = (state: JobView['state'], startedAt?: number): JobView => ({ state, startedAt });

describe('the job of a batch without a proof', () => {
  it.each([
    ['it does not exist', undefined, false, 'enqueue'],
    ['it waits', job('created'), false, 'leave'],
    ['it waits again', job('retry', 1), false, 'leave'],
    ['a prover works on it', job('active', 1), true, 'leave'],
    ['a prover has just taken it', job('active', 95_000), false, 'leave'],
    ['its prover says nothing any more', job('active', 1), false, 'rescue'],
    ['it was ended', job('completed', 1), false, 'enqueue'],
    ['it was given up', job('failed', 1), false, 'enqueue'],
    ['it was cancelled', job('cancelled', 1), false, 'enqueue'],
  ] as const)('when %s', (_, view, isLeased, step) => {
    expect(jobStep(view, isLeased, TIMES)).toBe(step);
  });

  it('has an id that is a UUID and follows from the height', () => {
    expect(jobId(1)).toBe('00000000-0000-8000-8000-000000000001');
    expect(jobId(2 ** 32 - 1)).toBe('00000000-0000-8000-8000-0000ffffffff');
  });
});
