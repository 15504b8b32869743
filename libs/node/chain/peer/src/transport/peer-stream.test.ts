import { createServer, type AddressInfo, type Socket } from 'node:net';
import { afterEach, expect, it } from '@jest/globals';
import { Session, readSessionId } from '../session/session.js';
import { PeerStream } from './peer-stream.js';
import { encodeStreamAnswer } from './stream-record.js';

const closers: (() => unknown)[] = [];
afterEach(() => {
  for (const close of closers.splice(0)) close();
});

const GRANTED = 'HTTP/1.1 101 Switching Protocols\r\nconnection: Upgrade\r\nupgrade: tetrad-p2p\r\n\r\n';

/** A peer that answers the first bytes with a text, and later ones as the test says. */
async function peerThat(onData: (socket: Socket, count: number) => void, first: string | Buffer = GRANTED) {
  const server = createServer((socket) => {
    closers.push(() => socket.destroy());
    socket.on('error', () => undefined);
    let count = 0;
    socket.on('data', () => {
      if (count++ === 0) socket.write(first);
      else onData(socket, count - 1);
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  closers.push(() => server.close());
  const id = readSessionId('ab'.repeat(16));
  if (id === undefined) throw new TypeError('not an id');
  const keys = { id, sending: new Uint8Array(32), receiving: new Uint8Array(32) };
  const endpoint = { host: '127.0.0.1', port: (server.address() as AddressInfo).port };
  const open = (timeoutMs = 60_000) =>
    PeerStream.open(endpoint, new Session(keys, true, 'i', 0), { timeoutMs, maxBytes: 1_000 }).then(
      (stream) => (closers.push(() => stream.close()), stream),
    );
  return { open };
}

const post = { kind: 'request', frame: Uint8Array.of(1), timeoutMs: 60_000, answerBytes: 10 } as const;
const answer = (ticket: number, body = Uint8Array.of(9)) => encodeStreamAnswer({ ticket, status: 200, body });

it('gives the answers to those who wait for them, in whatever order they come', async () => {
  const { open } = await peerThat((socket) => {
    socket.write(Buffer.concat([answer(2, Uint8Array.of(2)), answer(1, Uint8Array.of(1))]));
  });
  const stream = await open();
  const posts = [stream.post(post), stream.post(post)];
  expect((await Promise.all(posts)).map(({ body }) => body[0])).toEqual([1, 2]);
});

it('takes an answer that comes with the grant', async () => {
  const { open } = await peerThat(() => undefined, Buffer.concat([Buffer.from(GRANTED), answer(5)]));
  // No message has that ticket.
  const stream = await open();
  await expect(stream.post(post)).rejects.toMatchObject({ isLate: false });
});

it.each<[string, Uint8Array]>([
  ['an answer to a message that was not sent', answer(77)],
  ['an answer that is too long', answer(1, new Uint8Array(2_000))],
  ['an answer without a status', Buffer.from([0, 0, 0, 4, 0, 0, 0, 1])],
])('closes after %s; whatever waits fails', async (_, bytes) => {
  const { open } = await peerThat((socket) => socket.write(bytes));
  const stream = await open();
  await expect(stream.post(post)).rejects.toMatchObject({ isLate: false });
  expect(stream.isOpen).toBe(false);
  await expect(stream.post(post)).rejects.toMatchObject({ message: 'the stream is closed' });
});

it('refuses an answer that is larger than this message allows, and stays', async () => {
  const { open } = await peerThat((socket, count) => socket.write(answer(count, new Uint8Array(20))));
  const stream = await open();
  await expect(stream.post(post)).rejects.toMatchObject({ message: 'the answer is too large' });
  expect((await stream.post({ ...post, answerBytes: 20 })).body).toHaveLength(20);
});

it('closes when the peer answers none of many messages, and takes a late answer meanwhile', async () => {
  const { open } = await peerThat((socket, count) => (count === 2 ? socket.write(answer(1)) : undefined));
  const stream = await open();
  await expect(stream.post({ ...post, timeoutMs: 20 })).rejects.toMatchObject({ isLate: true });
  for (let times = 0; stream.isOpen; times += 1) {
    expect(times).toBeLessThan(100);
    await expect(stream.post({ ...post, timeoutMs: 1 })).rejects.toThrow();
  }
});

it('ends, once retired, when the last answer is there', async () => {
  let arrived: (socket: Socket) => void = () => undefined;
  const far = new Promise<Socket>((done) => (arrived = done));
  const { open } = await peerThat((socket) => arrived(socket));
  const stream = await open();
  const waiting = stream.post(post);
  stream.retire();
  expect(stream.isOpen).toBe(true);
  (await far).write(answer(1));
  expect((await waiting).status).toBe(200);
  expect(stream.isOpen).toBe(false);
});

it.each([
  ['refuses', 'HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\n\r\n', 'the peer answers 404 to a stream'],
  ['is silent', '', 'no stream in time'],
  ['answers in another protocol', 'SSH-2.0\r\n', 'Parse Error: Expected HTTP/'],
])('is not opened by a peer that %s', async (_, first, message) => {
  const { open } = await peerThat(() => undefined, first);
  await expect(open(first === '' ? 200 : 60_000)).rejects.toThrow(message);
});
