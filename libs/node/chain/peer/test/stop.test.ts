import { connect } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { silentLogger } from '@tetrad/types';
import { DEFAULT_PEER_LIMITS } from '../src/limits.js';
import { PeerServer } from '../src/transport/peer-server.js';
import { PATHS, SESSION_HEADER, STATUS } from '../src/transport/protocol.js';
import { eventually } from './eventually.js';
import { HostileStream } from './hostile-stream.js';

const HOUR_MS = 3_600_000;
const SESSION = '5e'.repeat(16);
const REQUEST = { session: SESSION, opening: '00'.repeat(24) };

let server: PeerServer;
let port: number;
const streams: HostileStream[] = [];
beforeEach(async () => {
  const unused = () => Promise.reject(new Error('not asked for'));
  server = new PeerServer({
    // Nothing but the stopping ends what a peer begins.
    limits: { ...DEFAULT_PEER_LIMITS, bodyGraceMs: HOUR_MS, streamIdleMs: HOUR_MS },
    logger: silentLogger,
    handshake: unused,
    // Sessions are there while the port closes: one may have begun since the others were ended.
    ownerOf: () => 'a peer',
    frame: unused,
    opens: () => STATUS.done,
    isKnownAddress: () => true,
    onCut: () => undefined,
  });
  port = await server.listen({ host: '127.0.0.1', port: 0 });
});
afterEach(async () => {
  for (const stream of streams.splice(0)) stream.close();
  await server.close(0);
});

const open = async (before?: () => Promise<unknown>) => {
  const stream = await HostileStream.openAt(port, REQUEST, before);
  streams.push(stream);
  return stream;
};

describe('a peer port that closes', () => {
  it('refuses a stream that a peer opens meanwhile, which would keep the node from stopping', async () => {
    let closing: Promise<void> | undefined;
    const stream = await open(async () => {
      // The request has begun, so that its connection is not closed as an idle one.
      const before = await open();
      closing = server.close(HOUR_MS);
      await eventually(() => before.isClosed, 'the end of the stream that was open');
    });
    expect([stream.status, stream.isClosed]).toEqual([undefined, true]);
    await closing;
    expect(server.streamCount).toBe(0);
  });

  it('cuts what a peer keeps open, also a stream whose end it does not read, after the time that it is given', async () => {
    const socket = connect(port, '127.0.0.1');
    let isCut = false;
    socket.on('error', () => undefined).on('close', () => (isCut = true));
    socket.resume();
    const head = [
      `POST ${PATHS.push} HTTP/1.1`,
      'host: x',
      `${SESSION_HEADER}: ${SESSION}`,
      'content-length: 9',
    ];
    socket.write(`${head.join('\r\n')}\r\n\r\nx`);
    const stream = await open();
    stream.socket.pause();
    await eventually(() => server.reservedBytes > 0, 'the reading of the body');
    await server.close(100);
    stream.socket.resume();
    await eventually(() => isCut && stream.isClosed, 'the cut');
  });
});
