import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { silentLogger, silentMetrics } from '@tetrad/types';
import { z } from 'zod';
import {
  createDispatcher,
  createRpcHttpHandler,
  dataCodec,
  defineMethod,
  param,
  quantityCodec,
  type Handlers,
} from '../src/index.js';
import { listenOn, type Listening } from './listening.js';

const common = { summary: '', source: 'test', examples: [] };
const methods = {
  /** So many bytes, after a turn of the event loop. */
  test_bytes: defineMethod({ ...common, params: [param('count', z.int(), '')], result: dataCodec }),
  test_number: defineMethod({ ...common, params: [], result: quantityCodec }),
  /** Ends when so many other calls have run that the batch is too large, and none runs; 0 when it was aborted. */
  test_late: defineMethod({ ...common, params: [], result: quantityCodec }),
  /** Ends when it is aborted. */
  test_wait: defineMethod({ ...common, params: [], result: dataCodec }),
  test_slow: defineMethod({ ...common, params: [], result: dataCodec }),
};

/** Calls of `test_bytes` with 4,000 bytes whose answers are more than those of a batch. */
const TOO_MANY = 7;

let ran: number;
let together: number;
let maxTogether: number;
const handlers: Handlers<typeof methods> = {
  async test_bytes([count]) {
    ran++;
    maxTogether = Math.max(maxTogether, ++together);
    await new Promise((tick) => setImmediate(tick));
    together--;
    return new Uint8Array(count);
  },
  test_number: () => 7n,
  async test_late(_, { signal }) {
    const tick = () => new Promise((done) => setImmediate(done));
    for (let quiet = 0; quiet < 8; quiet = ran < TOO_MANY || together > 0 ? 0 : quiet + 1) await tick();
    return signal.aborted ? 0n : 7n;
  },
  test_wait: ([], { signal }) =>
    new Promise((_done, fail) => {
      if (signal.aborted) fail(signal.reason as Error);
      signal.addEventListener('abort', () => fail(signal.reason as Error));
    }),
  async test_slow() {
    ran++;
    await new Promise((tick) => setTimeout(tick, 60));
    return new Uint8Array(1);
  },
};

const withTimeout = (requestTimeoutMs: number) =>
  createDispatcher({
    service: 'test',
    methods,
    handlers,
    limits: { batch: 1_000, depth: 32, requestTimeoutMs, answerBytes: 10_000, batchAnswerBytes: 50_000 },
    logger: silentLogger,
    metrics: silentMetrics,
  });
const dispatcher = withTimeout(120_000);

let listening: Listening;
beforeAll(async () => {
  const handle = createRpcHttpHandler({ dispatcher, maxBodyBytes: 1_000_000, rateLimit: 20 });
  let stranger = 0;
  listening = await listenOn((request, response) => {
    // Loopback is never limited; each test has another client address.
    const remoteAddress = request.headers['x-from'] ?? `192.0.2.${++stranger}`;
    if (request.headers['x-limited'] !== undefined)
      Object.defineProperty(request.socket, 'remoteAddress', { value: remoteAddress });
    handle(request, response);
  });
});
beforeEach(() => {
  ran = together = maxTogether = 0;
});
afterAll(() => listening.close());

const request = (id: number | undefined, method: string, ...params: unknown[]) => ({
  jsonrpc: '2.0',
  ...(id === undefined ? {} : { id }),
  method,
  params,
});

async function post(
  body: unknown,
  headers: Record<string, string> = {},
): Promise<{ text: string; body: unknown }> {
  const response = await fetch(listening.url, {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json', ...headers },
  });
  const text = await response.text();
  return { text, body: text === '' ? undefined : JSON.parse(text) };
}

const tooLarge = (limit: number) => ({
  code: -32003,
  message: 'response too large',
  data: { reason: 'RESPONSE_TOO_LARGE', limit },
});

describe('an answer over the limit', () => {
  it('is refused by name, alone and in a batch', async () => {
    expect((await post(request(1, 'test_bytes', 5_000))).body).toEqual({
      jsonrpc: '2.0',
      id: 1,
      error: tooLarge(10_000),
    });
    const batch = [request(1, 'test_bytes', 5_000), request(2, 'test_bytes', 4_000)];
    expect((await post(batch)).body).toMatchObject([
      { id: 1, error: tooLarge(10_000) },
      { id: 2, result: `0x${'00'.repeat(4_000)}` },
    ]);
  });
});

describe('a batch whose answers are too large together', () => {
  it('answers a call with its outcome that began before, and whose answer is a few bytes', async () => {
    const calls = Array.from({ length: 100 }, (_, id) => request(id + 1, 'test_bytes', 4_000));
    const { body } = await post([request(0, 'test_late'), ...calls]);
    const answers = body as { id: number; result?: string }[];
    expect(answers[0]).toEqual({ jsonrpc: '2.0', id: 0, result: '0x7' });
    expect(answers.at(-1)).toMatchObject({ id: 100, error: tooLarge(50_000) });
  });

  it('keeps what was answered, refuses every other call by name and does not run what has not begun', async () => {
    const calls = Array.from({ length: 500 }, (_, id) => request(id, 'test_bytes', 4_000));
    const { text, body } = await post(calls);
    const answers = body as { id: number; result?: string; error?: unknown }[];
    expect(answers.map(({ id }) => id)).toEqual(calls.map(({ id }) => id));
    expect(answers.filter(({ result }) => result !== undefined)).toHaveLength(6);
    const refused = answers.flatMap(({ error }) => (error === undefined ? [] : [error]));
    expect(refused).toHaveLength(494);
    for (const error of refused) expect(error).toEqual(tooLarge(50_000));
    expect(ran).toBeLessThanOrEqual(32);
    expect(text.length).toBeLessThan(50_000 + 500 * 200);
  });

  it('holds few large answers at a time', async () => {
    await post(Array.from({ length: 200 }, (_, id) => request(id, 'test_bytes', 10)));
    expect(ran).toBe(200);
    expect(maxTogether).toBe(16);
  });

  it('aborts the running calls, whose answers would be discarded', async () => {
    const calls = [
      request(0, 'test_wait'),
      ...Array.from({ length: 30 }, (_, id) => request(id + 1, 'test_bytes', 4_000)),
    ];
    const answers = (await post(calls)).body as { error?: { data: object } }[];
    // Not the error that it would get at the time-out of a request.
    expect(answers[0]?.error).toEqual(tooLarge(50_000));
  });

  it('does not answer notifications, and releases the bytes that it held', async () => {
    const calls = Array.from({ length: 100 }, () => request(undefined, 'test_bytes', 4_000));
    for (let attempt = 0; attempt < 10; attempt++) expect((await post(calls)).text).toBe('');
    expect((await post(request(1, 'test_bytes', 1))).body).toMatchObject({ result: '0x00' });
    for (let attempt = 0; attempt < 10; attempt++) {
      const answers = (await post([request(1, 'test_bytes', 4_000)])).body;
      expect(answers).toMatchObject([{ result: expect.any(String) }]);
    }
  });

  it('lets small answers through together', async () => {
    const calls = Array.from({ length: 300 }, (_, id) => request(id, 'test_number'));
    const answers = (await post(calls)).body as { result?: string }[];
    expect(answers.every(({ result }) => result === '0x7')).toBe(true);
  });
});

describe('a batch', () => {
  it('begins no call after the time of a request', async () => {
    const calls = Array.from({ length: 200 }, (_, id) => request(id, 'test_slow'));
    const text = await withTimeout(200).handle(JSON.stringify(calls), { headers: {} });
    const answers = JSON.parse(text ?? '') as unknown[];
    expect(answers.at(-1)).toMatchObject({ error: { code: -32002, data: { reason: 'REQUEST_TIMEOUT' } } });
    expect(ran).toBeLessThan(200);
  });

  it('counts each of its calls against the rate of its sender', async () => {
    const calls = Array.from({ length: 60 }, (_, id) => request(id, 'test_number'));
    const limited = { 'x-limited': '1', 'x-from': '198.51.100.7' };
    const answers = (await post(calls, limited)).body as { result?: string; error?: unknown }[];
    const refused = answers.filter(({ result }) => result === undefined);
    expect(answers.slice(0, 20).every(({ result }) => result === '0x7')).toBe(true);
    // The bucket may have got a few back meanwhile.
    expect(refused.length).toBeGreaterThan(20);
    expect(refused.at(0)).toMatchObject({
      error: { code: -32005, message: 'too many requests', data: { reason: 'RATE_LIMITED' } },
    });
    // Loopback is not limited.
    const own = (await post(calls)).body as { result?: string }[];
    expect(own.every(({ result }) => result === '0x7')).toBe(true);
  });
});

describe('clients that do not read', () => {
  it('get 503 when too much waits for all of them together', async () => {
    const crowded = await listenOn(
      createRpcHttpHandler({ dispatcher, maxBodyBytes: 1_000_000, maxWaitingBytes: 30_000 }),
    );
    const body = JSON.stringify(Array.from({ length: 6 }, (_, id) => request(id, 'test_bytes', 4_000)));
    const headers = { 'content-type': 'application/json' };
    const { status } = await fetch(crowded.url, { method: 'POST', body, headers });
    expect(status).toBe(503);
    const small = JSON.stringify(request(1, 'test_bytes', 4_000));
    expect((await fetch(crowded.url, { method: 'POST', body: small, headers })).status).toBe(200);
    await crowded.close();
  });
});
