import { Worker, type TransferListItem, type WorkerOptions } from 'node:worker_threads';
import { isLoadedMessage, stopLoaded } from './loading.js';

/** A worker thread as its users see it: messages in both directions, and one end. Tests supply their own. */
export interface Thread<Job, Answer> {
  /** @param transfer - buffers that move to the thread instead of being copied */
  post(job: Job, transfer?: readonly TransferListItem[]): void;
  onMessage(listener: (answer: Answer) => void): void;
  /** Called once when the thread has exited, for whatever reason. */
  onEnd(listener: (reason: Error) => void): void;
  /** Whether the thread keeps a process alive that has nothing else to do; by default it does. */
  keepAlive(isWanted: boolean): void;
  /** Ends the thread once it has loaded its program; resolves when it has exited. */
  stop(): Promise<unknown>;
}

/**
 * Starts a thread.
 *
 * @param program - a file that ends with `announceLoaded`; or with `eval` a source text, which loads nothing of its own
 */
export function startThread<Job, Answer>(
  program: string | URL,
  options?: WorkerOptions,
): Thread<Job, Answer> {
  const worker = new Worker(program, options);
  let failure: Error | undefined;
  worker.on('error', (error) => (failure = asError(error)));
  // An answer that cannot be read never reaches its caller.
  worker.on('messageerror', (error) => {
    failure = error;
    void worker.terminate();
  });
  const loaded = options?.eval === true ? Promise.resolve() : firstSign(worker);
  return {
    post: (job, transfer) => worker.postMessage(job, transfer),
    onMessage: (listener) =>
      void worker.on('message', (message: Answer) => {
        if (!isLoadedMessage(message)) listener(message);
      }),
    onEnd: (listener) =>
      void worker.on('exit', (code) => listener(failure ?? new Error(`exit code ${code}`))),
    keepAlive: (isWanted) => (isWanted ? worker.ref() : worker.unref()),
    stop: () => stopLoaded(worker, loaded),
  };
}

/** Resolves at the thread's first message, or when it has exited. */
function firstSign(worker: Worker): Promise<void> {
  return new Promise((done) => {
    worker.once('message', () => done());
    worker.once('exit', () => done());
  });
}

/**
 * The file of a thread's program. Tests run from the sources, where a thread, which no test runner transforms code for,
 * starts from the build.
 * @param here - `import.meta.url` of the caller
 * @param beside - the file as the built caller finds it, with the folder of a bundle in mind
 * @param fromSource - as its source finds it
 */
export function threadFile(here: string, beside: string, fromSource: string): URL {
  return new URL(here.endsWith('.ts') ? fromSource : beside, here);
}

function asError(error: unknown): Error {
  const { message } = (error ?? {}) as { readonly message?: unknown };
  return typeof message === 'string' ? (error as Error) : new Error(String(error));
}
