import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { RequestError, silentLogger, silentMetrics, type LogValues } from '@tetrad/types';
import fc from 'fast-check';
import { z } from 'zod';
import {
  ExecutionRevertedError,
  RpcCallError,
  RpcTransportError,
  addressCodec,
  createDispatcher,
  createRpcClient,
  createRpcHttpHandler,
  dataCodec,
  defineMethod,
  optionalParam,
  param,
  quantityCodec,
  type Handlers,
} from '../src/index.js';
import { listenOn, type Listening } from './listening.js';

const common = { source: 'test', examples: [] };
const transfer = z.strictObject({ from: addressCodec, value: quantityCodec.optional() });
const methods = {
  test_version: defineMethod({ ...common, summary: 'A constant', params: [], result: z.string() }),
  test_echo: defineMethod({
    ...common,
    summary: 'Its parameters',
    params: [param('transaction', transfer, 'A transfer'), optionalParam('note', dataCodec, 'Any bytes')],
    result: z.string(),
  }),
  test_big: defineMethod({
    ...common,
    summary: 'A large integer',
    params: [param('n', z.bigint(), 'n')],
    result: z.bigint(),
  }),
  test_refuse: defineMethod({
    ...common,
    summary: 'Refuses',
    params: [],
    result: z.null(),
    errors: ['RATE_LIMITED'],
  }),
  test_revert: defineMethod({ ...common, summary: 'Reverts', params: [], result: z.null() }),
  test_fault: defineMethod({ ...common, summary: 'Breaks', params: [], result: z.null() }),
  test_slow: defineMethod({ ...common, summary: 'Never ends', params: [], result: z.null() }),
  test_lost: defineMethod({ ...common, summary: 'Has no handler', params: [], result: z.null() }),
};
const handlers: Handlers<Omit<typeof methods, 'test_lost'>> = {
  test_version: () => 'tetrad/1',
  test_echo: ([{ from, value }, note]) => `${from} ${value ?? 'none'} ${note?.length ?? 'absent'}`,
  test_big: ([n]) => n + 1n,
  test_refuse: () => {
    throw new RequestError('RATE_LIMITED', 'too fast', { limit: 3 });
  },
  test_revert: () => {
    throw new ExecutionRevertedError('execution reverted: no', Uint8Array.of(1, 2));
  },
  test_fault: () => {
    throw new Error('secret detail');
  },
  test_slow: ([], { signal }) =>
    new Promise((_done, fail) => signal.addEventListener('abort', () => fail(new Error()))),
};

const faults: LogValues[] = [];
const dispatcher = createDispatcher({
  service: 'test',
  methods,
  handlers,
  limits: { batch: 5, depth: 32, requestTimeoutMs: 200 },
  aliases: [
    { from: 'old', to: 'test' },
    { from: 'x_v', to: 'test_version' },
  ],
  logger: { ...silentLogger, error: (_message, values) => faults.push(values ?? {}) },
  metrics: silentMetrics,
});

let listening: Listening;
let url: string;
beforeAll(async () => {
  listening = await listenOn(createRpcHttpHandler({ dispatcher, maxBodyBytes: 10_000 }));
  ({ url } = listening);
});
afterAll(() => listening.close());

async function post(
  body: string | Uint8Array<ArrayBuffer>,
  headers: Record<string, string> = { 'content-type': 'application/json' },
) {
  const response = await fetch(url, { method: 'POST', body, headers });
  const text = await response.text();
  return { status: response.status, text, body: text === '' ? undefined : (JSON.parse(text) as unknown) };
}
const call = (method: string, params?: unknown, id: unknown = 1) =>
  post(JSON.stringify({ jsonrpc: '2.0', id, method, ...(params === undefined ? {} : { params }) }));
const error = (code: number, message?: unknown) =>
  expect.objectContaining({
    error: expect.objectContaining({ code, ...(message === undefined ? {} : { message }) }),
  });

const FROM = `0x${'ab'.repeat(20)}`;

describe('calls', () => {
  it('answer with the id of the request, of every kind that an id may have', async () => {
    for (const id of [1, 'seven', null, 0]) {
      expect((await call('test_version', undefined, id)).body).toEqual({
        jsonrpc: '2.0',
        id,
        result: 'tetrad/1',
      });
    }
  });

  it('take parameters by position, by name, left out or null', async () => {
    expect((await call('test_echo', [{ from: FROM }])).body).toMatchObject({ result: `${FROM} none absent` });
    expect((await call('test_echo', [{ from: FROM, value: '0x10' }, null])).body).toMatchObject({
      result: `${FROM} 16 absent`,
    });
    expect((await call('test_echo', { from: FROM })).body).toMatchObject({ result: `${FROM} none absent` });
    expect((await call('test_echo', { note: '0x0102', transaction: { from: FROM } })).body).toMatchObject({
      result: `${FROM} none 2`,
    });
  });

  it('carry integers beyond 2^53 in both directions without loss', async () => {
    const { text } = await post(
      '{"jsonrpc":"2.0","id":9007199254740993,"method":"test_big","params":[18446744073709551615]}',
    );
    expect(text).toBe('{"jsonrpc":"2.0","id":9007199254740993,"result":18446744073709551616}');
    const refused = await post('{"jsonrpc":"2.0","id":-9007199254740993,"method":"test_big"}');
    expect(refused.text).toMatch(/^\{"jsonrpc":"2.0","id":-9007199254740993,"error":\{"code":-32602,/);
  });

  it('know aliases of namespaces and methods', async () => {
    expect((await call('old_version')).body).toMatchObject({ result: 'tetrad/1' });
    expect((await call('x_v')).body).toMatchObject({ result: 'tetrad/1' });
  });

  it('in a batch answer in order, leaving out notifications', async () => {
    const batch = [
      { jsonrpc: '2.0', id: 'a', method: 'test_version' },
      { jsonrpc: '2.0', method: 'test_version' },
      7,
      { jsonrpc: '2.0', id: 'b', method: 'test_nothing' },
    ];
    expect((await post(JSON.stringify(batch))).body).toMatchObject([
      { jsonrpc: '2.0', id: 'a', result: 'tetrad/1' },
      { jsonrpc: '2.0', id: null, error: { code: -32600 } },
      { jsonrpc: '2.0', id: 'b', error: { code: -32601 } },
    ]);
  });

  it('that are notifications get no content', async () => {
    expect(await post('{"jsonrpc":"2.0","method":"test_version"}')).toMatchObject({ status: 204, text: '' });
    expect(await post('[{"jsonrpc":"2.0","method":"test_fault"}]')).toMatchObject({ status: 204, text: '' });
  });
});

describe('errors', () => {
  it('of parameters name the field', async () => {
    expect((await call('test_echo', [{ from: '0x12' }])).body).toEqual({
      jsonrpc: '2.0',
      id: 1,
      error: {
        code: -32602,
        message: 'invalid params: transaction.from: must be an address: 0x and 40 hex digits',
        data: { reason: 'INVALID_PARAMS', field: 'transaction.from' },
      },
    });
    expect((await call('test_echo', [])).body).toEqual(
      error(-32602, 'invalid params: transaction: missing value for required argument'),
    );
    expect((await call('test_version', [1])).body).toEqual(
      error(-32602, 'invalid params: params: too many arguments, want at most 0'),
    );
    expect((await call('test_echo', { transaction: {}, other: 1 })).body).toEqual(
      error(-32602, 'invalid params: other: no such parameter'),
    );
  });

  it('of rules carry code, text, reason and data', async () => {
    expect((await call('test_refuse')).body).toMatchObject({
      error: { code: -32005, message: 'too fast', data: { reason: 'RATE_LIMITED', limit: 3 } },
    });
    expect((await call('test_revert')).body).toMatchObject({
      error: { code: 3, message: 'execution reverted: no', data: '0x0102' },
    });
  });

  it('of our own are logged once and never shown to callers', async () => {
    faults.length = 0;
    const { text, body } = await call('test_fault');
    expect(text).not.toContain('secret');
    expect(body).toEqual(error(-32603, 'internal error'));
    const [fault] = faults;
    expect(faults).toHaveLength(1);
    expect(body).toMatchObject({ error: { data: { requestId: fault?.['requestId'] } } });
  });

  it('of time end the wait and abort the work', async () => {
    expect((await call('test_slow')).body).toMatchObject({
      error: { code: -32002, data: { reason: 'REQUEST_TIMEOUT' } },
    });
  });

  it('say that a method is not there, also when only its handler is missing', async () => {
    expect((await call('test_nothing')).body).toEqual(error(-32601));
    expect((await call('test_lost')).body).toEqual(error(-32601));
    expect((await call('toString')).body).toEqual(error(-32601));
    expect((await call('__proto__')).body).toEqual(error(-32601));
  });
});

describe('transport', () => {
  it('refuses what is not JSON-RPC over POST', async () => {
    expect((await fetch(url)).status).toBe(405);
    expect((await post('{}', { 'content-encoding': 'gzip' })).status).toBe(415);
    expect((await post(`"${'x'.repeat(10_001)}"`)).status).toBe(413);
  });

  it.each([
    'application/json; charset=utf-8',
    'Application/JSON;charset=UTF-8',
    'application/json ; charset="utf-8"',
    'application/json-rpc',
    'text/plain;charset=UTF-8',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'x',
    '',
  ])('accepts the content type "%s"', async (type) => {
    const body = Buffer.from('{"jsonrpc":"2.0","id":1,"method":"test_version"}');
    expect((await post(body, { 'content-type': type })).status).toBe(200);
  });

  it.each([
    'application/json; charset=utf-16',
    'application/json; charset=iso-8859-1',
    'text/plain; charset=utf-16',
  ])('refuses the content type "%s", in which the body is another text', async (type) => {
    const body = Buffer.from('{"jsonrpc":"2.0","id":1,"method":"test_version"}');
    expect((await post(body, { 'content-type': type })).status).toBe(415);
  });

  it('accepts a body without a content type', async () => {
    const body = Buffer.from('{"jsonrpc":"2.0","id":1,"method":"test_version"}');
    expect((await post(body, {})).status).toBe(200);
  });
});

describe('malformed bodies', () => {
  it.each([
    ['nothing', '', -32700],
    ['no JSON', '{"jsonrpc":', -32700],
    ['NaN', '{"jsonrpc":"2.0","id":NaN,"method":"test_version"}', -32700],
    ['two values', '1 2', -32700],
    ['null', 'null', -32600],
    ['a number', '42', -32600],
    ['an empty batch', '[]', -32600],
    ['a batch over the limit', JSON.stringify(Array(6).fill({})), -32600],
    ['no version', '{"id":1,"method":"test_version"}', -32600],
    ['an object as id', '{"jsonrpc":"2.0","id":{},"method":"test_version"}', -32600],
    ['a number as method', '{"jsonrpc":"2.0","id":1,"method":7}', -32600],
    ['text as params', '{"jsonrpc":"2.0","id":1,"method":"test_version","params":"x"}', -32600],
    ['a key twice', '{"jsonrpc":"2.0","id":1,"method":"test_version","method":"test_fault"}', -32600],
    [
      'a key twice, once escaped',
      '{"jsonrpc":"2.0","id":1,"method":"test_version","m\\u0065thod":"test_fault"}',
      -32600,
    ],
    [
      'a key in two letter cases',
      '{"jsonrpc":"2.0","id":1,"method":"test_version","METHOD":"test_fault"}',
      -32600,
    ],
    ['nesting', `${'['.repeat(33)}${']'.repeat(33)}`, -32600],
  ])('%s', async (_case, body, code) => {
    expect(await post(body)).toMatchObject({ status: 200, body: { error: { code } } });
  });

  it('invalid UTF-8', async () => {
    const body = Uint8Array.from([0x22, 0xff, 0xfe, 0x22]);
    expect(await post(body)).toMatchObject({ status: 200, body: { error: { code: -32700 } } });
  });

  it('of any kind get an answer that is not a fault, and the service lives', async () => {
    faults.length = 0;
    const junk = fc.oneof(
      fc.json({ maxDepth: 6 }),
      fc.string(),
      fc
        .record({
          jsonrpc: fc.constantFrom('2.0', '1.0', 2),
          id: fc.jsonValue(),
          method: fc.constantFrom(
            ...Object.keys(methods).filter((name) => name !== 'test_fault'),
            'eth_x',
            '',
          ),
          params: fc.jsonValue(),
        })
        .map((value) => JSON.stringify(value)),
      fc
        .record({
          from: fc.constantFrom('0x', '0x0', FROM, `${FROM}0`, '0xzz', 5, null),
          value: fc.constantFrom('0x', '0x01', '0x1', '0xg', -1, 1e99, `0x${'f'.repeat(65)}`),
        })
        .map((value) => JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'test_echo', params: [value] })),
    );
    await fc.assert(
      fc.asyncProperty(junk, async (body) => {
        const { status, body: answer } = await post(body);
        expect([200, 204, 413]).toContain(status);
        for (const one of Array.isArray(answer) ? answer : [answer]) {
          const code = (one as { error?: { code: number } } | undefined)?.error?.code;
          expect([undefined, -32700, -32600, -32601, -32602, -32005, -32002, 3]).toContain(code);
        }
      }),
      { numRuns: 250 },
    );
    expect(faults).toEqual([]);
    expect((await call('test_version')).status).toBe(200);
  });
});

describe('the typed client', () => {
  it('encodes parameters, decodes results and distinguishes errors', async () => {
    const client = createRpcClient(methods, { url });
    expect(await client.call('test_version', [])).toBe('tetrad/1');
    expect(await client.call('test_big', [2n ** 64n])).toBe(2n ** 64n + 1n);
    await expect(client.call('test_refuse', [])).rejects.toThrow(RpcCallError);
    await client.close();
    const unreachable = createRpcClient(methods, { url: 'http://127.0.0.1:9' });
    await expect(unreachable.call('test_version', [])).rejects.toThrow(RpcTransportError);
    await unreachable.close();
  });
});
