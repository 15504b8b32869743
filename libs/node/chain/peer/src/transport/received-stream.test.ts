import { createServer, connect, type AddressInfo, type Server, type Socket } from 'node:net';
import { afterEach, expect, it } from '@jest/globals';
import { ReceivedStream, type ReceivedStreamOptions } from './received-stream.js';
import { encodeStreamMessage } from './stream-record.js';

const closers: (() => unknown)[] = [];
afterEach(() => {
  for (const close of closers.splice(0)) close();
});

/** A connection whose far end is a stream's. */
async function connection(options: Pick<ReceivedStreamOptions, 'answer'> & Partial<ReceivedStreamOptions>) {
  const server: Server = createServer();
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const far = new Promise<Socket>((done) => server.once('connection', done));
  const near = connect((server.address() as AddressInfo).port, '127.0.0.1');
  closers.push(() => (near.destroy(), server.close()));
  const faults: unknown[] = [];
  const received = new ReceivedStream(await far, {
    maxBytes: 64 * 1024,
    idleMs: 60_000,
    recordMs: 60_000,
    onCut: () => undefined,
    onFault: (error) => faults.push(error),
    ...options,
  });
  return { near, received, faults };
}

const message = (ticket: number) => encodeStreamMessage({ ticket, kind: 'request', frame: Uint8Array.of(1) });
const pause = (ms: number) => new Promise((done) => setTimeout(done, ms));

it('reads no more of a sender that does not read its answers, and goes on when it does', async () => {
  const ANSWER = 60_000;
  const MESSAGES = 4_000;
  let processed = 0;
  const { near } = await connection({
    answer: async () => {
      processed += 1;
      return { status: 200, body: Buffer.alloc(ANSWER) };
    },
  });
  for (let ticket = 0; ticket < MESSAGES; ticket += 1) {
    near.write(message(ticket));
    // What arrives at once is processed at once.
    if (ticket % 8 === 7) await pause(1);
  }
  for (let before = -1; before !== processed; await pause(200)) before = processed;
  // 240 MB of answers would be due.
  expect(processed).toBeLessThan(MESSAGES);
  let read = 0;
  near.on('data', (chunk: Buffer) => (read += chunk.length));
  while (read < MESSAGES * (ANSWER + 10)) await pause(20);
  expect(processed).toBe(MESSAGES);
});

it('ends when nothing came for long, and when a message could not be processed', async () => {
  const idle = await connection({ answer: async () => ({ status: 200 }), idleMs: 50 });
  idle.near.resume();
  await new Promise((done) => idle.near.once('close', done));
  const faulty = await connection({ answer: () => Promise.reject(new Error('no disk')) });
  faulty.near.resume();
  faulty.near.write(message(1));
  await new Promise((done) => faulty.near.once('close', done));
  expect(faulty.faults).toEqual([new Error('no disk')]);
});

it('answers with a status alone where the answer is too large for a stream', async () => {
  const { near } = await connection({ answer: async () => ({ status: 200, body: Buffer.alloc(65_537) }) });
  near.write(message(7));
  const answer = await new Promise<Buffer>((done) => near.once('data', done));
  expect(answer.toString('hex')).toBe('00000006' + '00000007' + '019d');
});
