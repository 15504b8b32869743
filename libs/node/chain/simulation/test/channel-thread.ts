import { MessageChannel } from 'node:worker_threads';
import type { ThreadPort } from '../src/threads/work-thread.js';
import { serveWork } from '../src/threads/serve-work.js';

/** A fake thread: messages are copied as between threads, but the work is done in the caller's thread. */
export function channelThread(isFull = () => false): ThreadPort {
  const { port1, port2 } = new MessageChannel();
  serveWork(port2, { isFull: () => Promise.resolve(isFull()) });
  return {
    post: (message) => port1.postMessage(message),
    onMessage: (listener) => void port1.on('message', listener),
    onEnd: (listener) => void port1.once('close', () => listener(new Error('the channel was closed'))),
    stop: () =>
      new Promise<void>((done) => {
        port1.once('close', () => done());
        port1.close();
      }),
  };
}
