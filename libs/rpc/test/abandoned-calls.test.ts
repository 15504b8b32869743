import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { silentLogger, silentMetrics } from '@tetrad/types';
import { z } from 'zod';
import { createDispatcher, createRpcHttpHandler, defineMethod, type CallContext } from '../src/index.js';
import { listenOn, type Listening } from './listening.js';

const methods = {
  test_wait: defineMethod({ summary: '', source: 'test', examples: [], params: [], result: z.string() }),
};
let reached: (context: CallContext) => void = () => undefined;
let finish: (answer: string) => void = () => undefined;
const dispatcher = createDispatcher({
  service: 'test',
  methods,
  handlers: {
    test_wait: (_params: never, context: CallContext) =>
      new Promise<string>((done) => {
        finish = done;
        reached(context);
      }),
  },
  limits: { batch: 5, depth: 32, requestTimeoutMs: 60_000 },
  logger: silentLogger,
  metrics: silentMetrics,
});

let listening: Listening;
beforeAll(async () => {
  listening = await listenOn(createRpcHttpHandler({ dispatcher, maxBodyBytes: 10_000 }));
});
afterAll(() => listening.close());

/** Calls over HTTP, and gives what the handler was given. */
async function startCall() {
  const arrived = new Promise<CallContext>((done) => (reached = done));
  const sent = httpRequest(listening.url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
  });
  sent.on('error', () => undefined);
  sent.end(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'test_wait' }));
  return { sent, context: await arrived };
}

const until = async (holds: () => boolean) => {
  while (!holds()) await new Promise((turn) => setTimeout(turn, 5));
};

describe('a call whose client disconnected', () => {
  it('is reported as abandoned to the handler, without a signal', async () => {
    const { sent, context } = await startCall();
    expect(context.isAbandoned).toBe(false);
    sent.destroy();
    await until(() => context.isAbandoned);
    expect(context.signal.aborted).toBe(true);
    finish('unread');
  });

  it.each([
    ['without a signal', (context: CallContext) => context.isAbandoned],
    ['by its signal', ({ signal }: CallContext) => signal.aborted],
  ])('is abandoned behind another call on its connection too: %s', async (_how, isAbandoned) => {
    const contexts: CallContext[] = [];
    reached = (context) => contexts.push(context);
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'test_wait' });
    const head = `POST / HTTP/1.1\r\nHost: h\r\nContent-Type: application/json\r\nContent-Length: ${body.length}`;
    const client = connect({ port: listening.port, host: '127.0.0.1' });
    client.on('error', () => undefined).write(`${head}\r\n\r\n${body}`.repeat(2));
    await until(() => contexts.length === 2);
    expect(contexts.map(isAbandoned)).toEqual([false, false]);
    client.destroy();
    await until(() => contexts.every(isAbandoned));
    finish('unread');
  });
});

describe('a call whose client waits', () => {
  it('is not abandoned, also after its answer', async () => {
    const { sent, context } = await startCall();
    const answered = once(sent, 'response');
    finish('done');
    const [response] = (await answered) as [NodeJS.ReadableStream];
    response.resume();
    await once(response, 'end');
    expect(context.isAbandoned).toBe(false);
  });
});
