import type { ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { OutgoingAnswers } from '../src/outgoing-answers.js';
import { listenOn } from './listening.js';

const REQUEST = 'POST / HTTP/1.1\r\nHost: node\r\nContent-Length: 0\r\n\r\n';
const LONG = 'x'.repeat(20_000);

describe('pipelined answers', () => {
  it('leave room when their client goes before the first one is sent', async () => {
    const outgoing = new OutgoingAnswers(LONG.length);
    const [waiting, { first, second }] = twoResponses();
    const listening = await listenOn((_request, response) => waiting(response));
    const client = connect({ port: listening.port, host: '127.0.0.1' });
    client.on('error', () => undefined).write(REQUEST + REQUEST);
    const [early, late] = await Promise.all([first, second]);
    expect(outgoing.admit(late, LONG.length)).toBe(true);
    expect(outgoing.admit(early, LONG.length)).toBe(false);
    const gone = new Promise((done) => late.req.socket.once('close', done));
    client.destroy();
    await gone;
    expect(outgoing.admit(early, LONG.length)).toBe(true);
    await listening.close();
  });

  it('leave room once they are sent', async () => {
    const outgoing = new OutgoingAnswers(LONG.length);
    const [waiting, { first, second }] = twoResponses();
    const listening = await listenOn((_request, response) => waiting(response));
    const client = connect({ port: listening.port, host: '127.0.0.1' });
    client.resume().write(REQUEST + REQUEST);
    const [early, late] = await Promise.all([first, second]);
    expect(outgoing.admit(late, LONG.length)).toBe(true);
    const sent = new Promise((done) => late.once('close', done));
    late.end(LONG);
    early.end();
    await sent;
    expect(outgoing.admit(early, LONG.length)).toBe(true);
    client.destroy();
    await listening.close();
  });
});

function twoResponses(): [
  (response: ServerResponse) => void,
  { readonly first: Promise<ServerResponse>; readonly second: Promise<ServerResponse> },
] {
  const waiting: ((response: ServerResponse) => void)[] = [];
  const next = () => new Promise<ServerResponse>((done) => waiting.push(done));
  return [(response) => waiting.shift()?.(response), { first: next(), second: next() }];
}
