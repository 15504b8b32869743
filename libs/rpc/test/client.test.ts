import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { silentLogger, silentMetrics, RequestError } from '@tetrad/types';
import { z } from 'zod';
import {
  RpcCallError,
  RpcTransportError,
  createDispatcher,
  createRpcClient,
  createRpcHttpHandler,
  defineMethod,
  optionalParam,
  param,
  quantityCodec,
  type Handlers,
} from '../src/index.js';
import { listenOn, type Listening } from './listening.js';

const common = { summary: '', source: 'test', examples: [] };
const methods = {
  test_add: defineMethod({
    ...common,
    params: [
      param('a', quantityCodec, ''),
      optionalParam('b', quantityCodec, ''),
      optionalParam('c', quantityCodec, ''),
    ],
    result: quantityCodec,
  }),
  test_echo: defineMethod({
    ...common,
    params: [param('value', z.string().nullable(), '')],
    result: z.string(),
  }),
  test_refuse: defineMethod({ ...common, params: [], result: z.null() }),
};
const handlers: Handlers<typeof methods> = {
  test_add: ([a, b, c]) => a + (b ?? 0n) + (c ?? 0n),
  test_echo: ([value]) => JSON.stringify(value),
  test_refuse: () => {
    throw new RequestError('NONCE_TOO_LOW', 'nonce too low', { next: 5 });
  },
};

let ours: Listening;
/** Sends the answer that `reply` returns. */
let theirs: Listening;
let reply: string | undefined;
beforeAll(async () => {
  const dispatcher = createDispatcher({
    service: 'test',
    methods,
    handlers,
    limits: { batch: 3, depth: 32, requestTimeoutMs: 1_000 },
    logger: silentLogger,
    metrics: silentMetrics,
  });
  ours = await listenOn(createRpcHttpHandler({ dispatcher, maxBodyBytes: 10_000 }));
  theirs = await listenOn((_request, response) => {
    if (reply !== undefined) response.end(reply);
  });
});
afterAll(async () => {
  await ours.close();
  await theirs.close();
});

describe('the typed client', () => {
  it('leaves out trailing optional parameters, and sends null between', async () => {
    const client = createRpcClient(methods, { url: ours.url });
    expect(await client.call('test_add', [2n ** 200n])).toBe(2n ** 200n);
    expect(await client.call('test_add', [1n, undefined, 3n])).toBe(4n);
    expect(await client.call('test_echo', [null])).toBe('null');
    await client.close();
  });

  it('gives each call of a batch its own result or error', async () => {
    const client = createRpcClient(methods, { url: ours.url });
    const [sum, rejection, echo] = await client.batch([
      ['test_add', [1n, 2n]],
      ['test_refuse', []],
      ['test_echo', ['x']],
    ]);
    expect(sum).toBe(3n);
    expect(rejection).toBeInstanceOf(RpcCallError);
    expect(rejection).toMatchObject({ code: -32000, data: { reason: 'NONCE_TOO_LOW', next: 5 } });
    expect(echo).toBe('"x"');
    expect(await client.batch([])).toEqual([]);
    await expect(client.batch(Array(4).fill(['test_refuse', []]))).rejects.toMatchObject({ code: -32600 });
    await client.close();
  });

  it.each([
    ['no JSON', '<html>'],
    ['a null', 'null'],
    ['neither result nor error', '{"jsonrpc":"2.0","id":1}'],
    ['the answer to another call', '{"jsonrpc":"2.0","id":77,"result":"0x1"}'],
    ['a result of another type', '{"jsonrpc":"2.0","id":1,"result":{"a":1}}'],
    ['an error without a code', '{"jsonrpc":"2.0","id":1,"error":{"message":"x"}}'],
  ])('does not take %s for an answer', async (_what, body) => {
    reply = body;
    const client = createRpcClient(methods, { url: theirs.url });
    await expect(client.call('test_add', [1n])).rejects.toThrow(RpcTransportError);
    await expect(client.batch([['test_add', [1n]]])).rejects.toThrow(RpcTransportError);
    await client.close();
  });

  it('takes an error without an id, and a null error beside a result', async () => {
    const client = createRpcClient(methods, { url: theirs.url });
    reply = '{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"parse error"}}';
    await expect(client.call('test_add', [1n])).rejects.toMatchObject({ code: -32700 });
    reply = '{"jsonrpc":"2.0","id":2,"result":"0x1","error":null}';
    expect(await client.call('test_add', [1n])).toBe(1n);
    await client.close();
  });

  it('gives up on a server that does not answer', async () => {
    reply = undefined;
    const client = createRpcClient(methods, { url: theirs.url, timeoutMs: 50 });
    await expect(client.call('test_add', [1n])).rejects.toThrow(RpcTransportError);
  });
});
