import { parentPort, type Worker } from 'node:worker_threads';

/** The message of `announceLoaded`. Answers of threads are objects, so no answer equals it. */
const LOADED = 'loaded';

/** A thread that is still loading then is ended all the same. */
const MAX_LOADING_MS = 30_000;

/**
 * Tells the starting side that the modules of this thread are loaded. Each program of `startThread` that is a file calls it
 * once, at its end.
 */
export function announceLoaded(): void {
  parentPort?.postMessage(LOADED);
}

/** Whether a message of a thread is `announceLoaded`'s. */
export function isLoadedMessage(message: unknown): boolean {
  return message === LOADED;
}

/**
 * Ends a thread, after it has loaded its modules: a thread that is ended while it loads a native library or WebAssembly can
 * take the process with it (SIGABRT in Node.js 20, 24 and 26; nodejs/node 60755).
 *
 * @param loaded - settles when the thread has loaded or exited
 * @returns resolves when the thread has exited
 */
export async function stopLoaded(worker: Worker, loaded: Promise<void>): Promise<unknown> {
  // Else the process could exit, and end the thread, while this waits.
  worker.ref();
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<void>((done) => (timer = setTimeout(done, MAX_LOADING_MS)));
  await Promise.race([loaded, timeout]);
  clearTimeout(timer);
  return worker.terminate();
}
