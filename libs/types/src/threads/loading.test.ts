import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { startThread } from './thread.js';

/** A program that takes some time to load, and counts in the shared memory when it has. */
const program = (end: string) =>
  new URL(
    `data:text/javascript,${encodeURIComponent(`
import { parentPort, workerData } from 'node:worker_threads';
Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200);
await new Promise((done) => setTimeout(done, 200));
Atomics.add(workerData, 0, 1);
parentPort.on('message', (message) => parentPort.postMessage(message));
${end}`)}`,
  );
const LOADED = `parentPort.postMessage('loaded')`;

const counter = () => new Int32Array(new SharedArrayBuffer(4));

afterEach(() => void jest.useRealTimers());

describe('a thread', () => {
  it('that is stopped while it loads is ended once it has loaded', async () => {
    const loads = counter();
    const thread = startThread(program(LOADED), { workerData: loads });
    thread.keepAlive(false);
    const stopped = thread.stop();
    expect(loads[0]).toBe(0);
    await stopped;
    expect(loads[0]).toBe(1);
  });

  it('that is stopped is not waited for when it ends by itself', async () => {
    const thread = startThread(program('process.exit(7)'), { workerData: counter() });
    const ended = new Promise<Error>((done) => thread.onEnd(done));
    await thread.stop();
    expect((await ended).message).toBe('exit code 7');
    await thread.stop();
  });

  it('that is stopped and never loads is ended all the same', async () => {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate'] });
    const thread = startThread(program('await new Promise((done) => setTimeout(done, 2 ** 30))'), {
      workerData: counter(),
    });
    const stopped = thread.stop();
    await jest.advanceTimersByTimeAsync(30_000);
    await stopped;
  });

  it('passes on what the program says, without the sign that it has loaded', async () => {
    const thread = startThread<string, string>(program(LOADED), { workerData: counter() });
    const messages: string[] = [];
    const answered = new Promise<void>((done) =>
      thread.onMessage((message) => {
        messages.push(message);
        done();
      }),
    );
    thread.post('an answer');
    await answered;
    await thread.stop();
    expect(messages).toEqual(['an answer']);
  });
});
