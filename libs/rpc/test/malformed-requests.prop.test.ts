import { request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { silentLogger, silentMetrics } from '@tetrad/types';
import fc from 'fast-check';
import { z } from 'zod';
import {
  addressCodec,
  createDispatcher,
  createRpcHttpHandler,
  dataCodec,
  defineMethod,
  optionalParam,
  param,
  quantityCodec,
} from '../src/index.js';
import { listenOn, type Listening } from './listening.js';

const MAX_BODY_BYTES = 20_000;
const transfer = z.strictObject({
  from: addressCodec,
  value: quantityCodec.optional(),
  data: dataCodec.optional(),
});
const method = defineMethod({
  summary: '',
  source: 'test',
  examples: [],
  params: [param('transfer', transfer, ''), optionalParam('times', quantityCodec, '')],
  result: z.string(),
});
const faults: unknown[] = [];
const dispatcher = createDispatcher({
  service: 'test',
  methods: { test_send: method },
  handlers: { test_send: () => 'sent' },
  limits: { batch: 5, depth: 32, requestTimeoutMs: 1_000 },
  logger: { ...silentLogger, error: (_message, values) => faults.push(values) },
  metrics: silentMetrics,
});

let listening: Listening;
beforeAll(async () => {
  listening = await listenOn(createRpcHttpHandler({ dispatcher, maxBodyBytes: MAX_BODY_BYTES }));
});
afterAll(() => listening.close());

interface Reply {
  readonly status: number;
  readonly body: string;
}

/** Without fetch, which would not send bodies with GET, nor odd methods and headers. */
function send(
  body: Uint8Array | string,
  options: { method?: string; headers?: Record<string, string> } = {},
) {
  const headers = { 'content-type': 'application/json', ...options.headers };
  return new Promise<Reply>((done, fail) => {
    const sent = httpRequest(listening.url, { method: options.method ?? 'POST', headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () =>
        done({ status: response.statusCode ?? 0, body: Buffer.concat(chunks).toString() }),
      );
    });
    sent.on('error', fail);
    sent.end(body);
  });
}

function codesOf({ body }: Reply): (number | undefined)[] {
  const answers = body === '' ? [] : ([JSON.parse(body)].flat() as { error?: { code: number } }[]);
  return answers.map(({ error }) => error?.code);
}

const ADDRESS = `0x${'ab'.repeat(20)}`;
const VALID = {
  jsonrpc: '2.0',
  id: 1,
  method: 'test_send',
  params: [{ from: ADDRESS, value: '0x10' }, '0x1'],
};
const hex = (length: fc.Arbitrary<number>) => length.map((digits) => `0x${'a'.repeat(digits)}`);

async function expectCode(body: Uint8Array | string, code: number): Promise<void> {
  const reply = await send(body);
  expect({ status: reply.status, codes: codesOf(reply) }).toEqual({ status: 200, codes: [code] });
}

describe('malformed requests get the right code', () => {
  afterAll(async () => {
    expect(faults).toEqual([]);
    expect(await send(JSON.stringify(VALID))).toEqual({
      status: 200,
      body: '{"jsonrpc":"2.0","id":1,"result":"sent"}',
    });
  });

  it('-32700 when cut short anywhere', async () => {
    const text = JSON.stringify(VALID);
    await fc.assert(
      fc.asyncProperty(fc.nat(text.length - 1), (length) => expectCode(text.slice(0, length), -32700)),
      { numRuns: 60 },
    );
  });

  it('-32700 when a byte in it is not UTF-8', async () => {
    const text = Buffer.from(JSON.stringify(VALID));
    const at = fc.nat(text.length);
    const bytes = fc.constantFrom([0xff], [0xc0, 0x80], [0xed, 0xa0, 0x80], [0x80], [0xf5, 0x80, 0x80, 0x80]);
    await fc.assert(
      fc.asyncProperty(at, bytes, (position, wrong) =>
        expectCode(
          Buffer.concat([text.subarray(0, position), Buffer.from(wrong), text.subarray(position)]),
          -32700,
        ),
      ),
      { numRuns: 40 },
    );
  });

  it('-32700 or -32600 for numbers out of range, -32602 for those where none belongs', async () => {
    const withTimes = (times: string) => JSON.stringify(VALID).replace('"0x1"]', `${times}]`);
    for (const times of ['NaN', 'Infinity', '-Infinity', '1e999', '-1e999', '0x1', '01', '1.']) {
      await expectCode(withTimes(times), -32700);
    }
    await expectCode(withTimes('9'.repeat(401)), -32600);
    const number = fc.oneof(
      fc.double({ noNaN: true, noDefaultInfinity: true }).map(String),
      fc.bigInt().map(String),
    );
    await fc.assert(
      fc.asyncProperty(number, (times) => expectCode(withTimes(times), -32602)),
      { numRuns: 40 },
    );
  });

  it('-32600 for a duplicate key, at any depth', async () => {
    const text = JSON.stringify(VALID);
    for (const key of ['jsonrpc', 'id', 'method', 'params', 'from', 'value']) {
      await expectCode(text.replace(`"${key}"`, `"${key}":0,"${key}"`), -32600);
    }
  });

  it('-32600 when nested too deep, and never deeper in the stack', async () => {
    for (const depth of [33, 100, 9_000]) {
      await expectCode('['.repeat(depth) + ']'.repeat(depth), -32600);
      await expectCode('{"a":'.repeat(Math.min(depth, 3_000)), -32600);
    }
  });

  it('-32600 when the envelope is wrong', async () => {
    const wrong = fc.constantFrom<object>(
      { jsonrpc: '1.0' },
      { jsonrpc: 2 },
      { jsonrpc: null },
      { method: 5 },
      { method: '' },
      { method: ['test_send'] },
      { params: 'x' },
      { params: 7 },
      { params: true },
      { id: {} },
      { id: [1] },
      { id: true },
    );
    await fc.assert(
      fc.asyncProperty(wrong, (part) => expectCode(JSON.stringify({ ...VALID, ...part }), -32600)),
      { numRuns: 30 },
    );
    for (const body of ['null', 'true', '1', '"x"', '[]', '{}', '""']) await expectCode(body, -32600);
  });

  it('-32601 for methods that are not there', async () => {
    const name = fc.oneof(
      fc.string({ minLength: 1 }),
      fc.constantFrom('TEST_SEND', 'test_send ', 'toString', '__proto__', 'constructor', 'rpc.discover'),
    );
    await fc.assert(
      fc.asyncProperty(
        name.filter((text) => text !== 'test_send'),
        (text) => expectCode(JSON.stringify({ ...VALID, method: text }), -32601),
      ),
      { numRuns: 40 },
    );
  });

  it('-32602 naming the field, for short and long hex, odd digits and wrong types', async () => {
    const wrongAddress = fc.oneof(
      hex(fc.integer({ min: 0, max: 90 }).filter((digits) => digits !== 40)),
      fc.constantFrom(
        '',
        'ab',
        ADDRESS.slice(2),
        `${ADDRESS.slice(0, -1)}g`,
        ` ${ADDRESS}`,
        `${ADDRESS}\u0000`,
      ),
      fc.jsonValue().filter((value) => typeof value !== 'string'),
    );
    const wrongQuantity = fc.oneof(
      hex(fc.integer({ min: 65, max: 900 })),
      fc.constantFrom('', '0x', '0x00', '0x01', '0X1', '1', '-0x1', '0x1.5', '0x1e+3', 'latest', '０x1'),
      fc.jsonValue().filter((value) => typeof value !== 'string'),
    );
    const wrongData = fc.oneof(
      hex(fc.nat(200).map((pairs) => 2 * pairs + 1)),
      fc.constantFrom('', '0', '0xzz', 'data'),
      fc.jsonValue().filter((value) => typeof value !== 'string'),
    );
    const wrong = fc.oneof(
      wrongAddress.map((from) => ['from', { from }] as const),
      wrongQuantity.map((value) => ['value', { from: ADDRESS, value }] as const),
      wrongData.map((data) => ['data', { from: ADDRESS, data }] as const),
    );
    await fc.assert(
      fc.asyncProperty(wrong, async ([field, value]) => {
        const { status, body } = await send(JSON.stringify({ ...VALID, params: [value] }));
        expect({ status, body: JSON.parse(body) as unknown }).toEqual({
          status: 200,
          body: {
            jsonrpc: '2.0',
            id: 1,
            error: {
              code: -32602,
              message: expect.stringContaining(`transfer.${field}: `),
              data: { reason: 'INVALID_PARAMS', field: `transfer.${field}` },
            },
          },
        });
      }),
      { numRuns: 150 },
    );
  });

  it('and one bad call of a batch leaves the others alone', async () => {
    const bad = fc.constantFrom<readonly [unknown, number]>(
      [null, -32600],
      [[], -32600],
      [{ ...VALID, method: 'no' }, -32601],
      [{ ...VALID, params: [1, 2, 3] }, -32602],
    );
    await fc.assert(
      fc.asyncProperty(fc.array(fc.option(bad), { minLength: 1, maxLength: 5 }), async (calls) => {
        const reply = await send(JSON.stringify(calls.map((call) => (call === null ? VALID : call[0]))));
        expect(codesOf(reply)).toEqual(calls.map((call) => (call === null ? undefined : call[1])));
      }),
      { numRuns: 40 },
    );
  });

  it('an HTTP status when they are not JSON-RPC over POST', async () => {
    for (const wrong of ['GET', 'PUT', 'DELETE', 'PATCH', 'OPTIONS']) {
      expect((await send(JSON.stringify(VALID), { method: wrong })).status).toBe(405);
    }
    for (const type of ['application/json; charset=utf-16', 'text/plain; charset=latin1', 'x;charset']) {
      expect([
        type,
        (await send(JSON.stringify(VALID), { headers: { 'content-type': type } })).status,
      ]).toEqual([type, 415]);
    }
    for (const encoding of ['gzip', 'br', 'x']) {
      expect((await send('{}', { headers: { 'content-encoding': encoding } })).status).toBe(415);
    }
    for (const size of [1, 1_000, 5_000_000]) {
      expect((await send(' '.repeat(MAX_BODY_BYTES + size))).status).toBe(413);
    }
    await expectCode(' '.repeat(MAX_BODY_BYTES), -32700);
  });

  it('whatever single byte is changed, an answer that is JSON-RPC', async () => {
    const text = Buffer.from(JSON.stringify([VALID, VALID]));
    await fc.assert(
      fc.asyncProperty(fc.nat(text.length - 1), fc.integer({ min: 0, max: 255 }), async (at, byte) => {
        const changed = Buffer.from(text);
        changed[at] = byte;
        const reply = await send(changed);
        expect([200, 204]).toContain(reply.status);
        for (const code of codesOf(reply))
          expect([undefined, -32700, -32600, -32601, -32602]).toContain(code);
      }),
      { numRuns: 150 },
    );
  });

  it('and connections that break off or do not speak HTTP cause no harm', async () => {
    const head = 'POST / HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n';
    for (const junk of [
      `${head}Content-Length: 100\r\n\r\n{"half`,
      `${head}Transfer-Encoding: chunked\r\n\r\nzz\r\n`,
      'hello\r\n\r\n',
      '\u0000',
    ]) {
      const socket = connect(listening.port, '127.0.0.1');
      socket.on('error', () => undefined);
      await new Promise<void>((done) => socket.write(junk, () => done()));
      socket.destroy();
    }
    expect((await send(JSON.stringify(VALID))).status).toBe(200);
  });
});
