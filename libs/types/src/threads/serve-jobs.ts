import { parentPort } from 'node:worker_threads';
import { announceLoaded } from './loading.js';

/** What a thread of a `ThreadPool` says: what came of the job, or what it failed with. */
export type Reply<Answer> = { readonly answer: Answer } | { readonly error: unknown };

/**
 * The program of a thread of a `ThreadPool`: does one job after the other.
 *
 * A thrown error reaches the other side with its message and without its class and its own fields.
 */
export function serveJobs<Job, Answer>(work: (job: Job) => Answer): void {
  parentPort?.on('message', (job: Job) => parentPort?.postMessage(replyTo(job, work)));
  announceLoaded();
}

function replyTo<Job, Answer>(job: Job, work: (job: Job) => Answer): Reply<Answer> {
  try {
    return { answer: work(job) };
  } catch (error) {
    return { error };
  }
}
