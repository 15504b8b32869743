import { describe, expect, it } from '@jest/globals';
import { RequestError, silentLogger, silentMetrics, type LogValues, type Metrics } from '@tetrad/types';
import { z } from 'zod';
import {
  createDispatcher,
  defineMethod,
  type CallContext,
  type Caller,
  type DispatcherOptions,
} from '../src/index.js';

const text = { summary: '', source: 'test', examples: [], params: [], result: z.string() };
const methods = {
  eth_own: defineMethod(text),
  admin_secret: defineMethod(text),
  eth_who: defineMethod({ ...text, result: z.any() }),
};
const handlers = {
  eth_own: () => 'own',
  admin_secret: () => 'secret',
  eth_who: (
    _: never,
    { subject, callId, headers }: { subject?: string; callId?: unknown; headers: object },
  ) => ({
    subject,
    callId,
    headers,
  }),
};
const anyone: Caller = { headers: {} };

function dispatch(options: Partial<DispatcherOptions>, body: unknown, caller: Caller = anyone) {
  const dispatcher = createDispatcher({
    service: 'test-service',
    methods,
    handlers: handlers as never,
    limits: { batch: 100, depth: 32, requestTimeoutMs: 1_000 },
    logger: silentLogger,
    metrics: silentMetrics,
    ...options,
  });
  const wire = typeof body === 'string' ? body : JSON.stringify(body);
  return dispatcher.handle(wire, caller).then((answer) => answer && (JSON.parse(answer) as unknown));
}
const request = (method: string, id: unknown = 1) => ({ jsonrpc: '2.0', id, method });
const refused = (code: number, reason?: string) =>
  expect.objectContaining({
    error: expect.objectContaining({ code, ...(reason ? { data: { reason } } : {}) }),
  });

describe('exposed namespaces', () => {
  it('hide all others, by name and by alias', async () => {
    const options = { exposed: ['eth'], aliases: [{ from: 'root', to: 'admin' }] };
    expect(await dispatch(options, request('eth_own'))).toMatchObject({ result: 'own' });
    expect(await dispatch(options, request('admin_secret'))).toEqual(refused(-32601));
    expect(await dispatch(options, request('root_secret'))).toEqual(refused(-32601));
  });
});

describe('aliases', () => {
  const options = { aliases: [{ from: 'root', to: 'admin' }] };

  it('are what errors name when the client used them', async () => {
    const caller: Caller = { headers: {}, may: () => false };
    for (const method of ['root_secret', 'admin_secret'])
      expect(await dispatch(options, request(method), caller)).toMatchObject({
        error: { message: `not permitted to call ${method}`, data: { reason: 'FORBIDDEN' } },
      });
    expect(await dispatch(options, request('root_nothing'))).toMatchObject({
      error: { message: 'the method root_nothing does not exist/is not available' },
    });
  });

  it('are known to handlers, which answer as the original did', async () => {
    const asCalled = {
      ...options,
      handlers: { admin_secret: (_: never, { calledAs }: { calledAs: string }) => calledAs },
    };
    for (const method of ['root_secret', 'admin_secret'])
      expect(await dispatch(asCalled as never, request(method))).toMatchObject({ result: method });
  });
});

describe('permissions', () => {
  const caller: Caller = {
    headers: { 'x-a': 'b' },
    subject: 'alice',
    may: (method) => method !== 'admin_secret',
  };

  it('are asked for the name that a method has here, whatever it was called by', async () => {
    const options = { aliases: [{ from: 'a_b', to: 'admin_secret' }] };
    expect(await dispatch(options, request('admin_secret'), caller)).toEqual(refused(-32004, 'FORBIDDEN'));
    expect(await dispatch(options, request('a_b'), caller)).toEqual(refused(-32004, 'FORBIDDEN'));
    expect(await dispatch(options, request('eth_own'), caller)).toMatchObject({ result: 'own' });
  });

  it('are asked for the permission that a method needs, and refused in its words', async () => {
    const methods = {
      'Coin.WalletSign': {
        ...defineMethod({ summary: '', source: '', examples: [], params: [], result: z.string() }),
        permission: 'sign',
      },
    };
    const options = { methods, handlers: { 'Coin.WalletSign': () => 'signed' } };
    const holding = (held: string): Caller => ({
      headers: {},
      may: (_method, permission) => permission === held,
    });
    expect(await dispatch(options, request('Coin.WalletSign'), holding('sign'))).toMatchObject({
      result: 'signed',
    });
    expect(await dispatch(options, request('Coin.WalletSign'), holding('read'))).toMatchObject({
      error: {
        code: -32004,
        message: "missing permission to invoke 'WalletSign' (need 'sign')",
        data: { reason: 'FORBIDDEN', permission: 'sign' },
      },
    });
  });

  it('and the caller reach the handler', async () => {
    expect(await dispatch({}, request('eth_who', 'seven'), caller)).toMatchObject({
      result: { subject: 'alice', callId: 'seven', headers: { 'x-a': 'b' } },
    });
  });
});

describe('one request that was read already', () => {
  const rejection = new RequestError('UNKNOWN_ACCOUNT', 'no');
  const dispatcher = createDispatcher({
    service: 'test-service',
    methods,
    handlers: {
      eth_own: (_params: never, context: CallContext) => {
        context.forward?.({ status: 418 });
        return 'own';
      },
      eth_who: () => {
        throw rejection;
      },
    } as never,
    limits: { batch: 100, depth: 32, requestTimeoutMs: 1_000 },
    presentError: (object, error) => ({ ...object, message: `said: ${object.message}`, data: error }),
    logger: silentLogger,
    metrics: silentMetrics,
  });

  it('gets its answer, with what its handler forwarded', async () => {
    expect(await dispatcher.answer(request('eth_own', 'a'), anyone)).toEqual({
      response: { jsonrpc: '2.0', id: 'a', result: 'own' },
      error: undefined,
      forwarded: { status: 418 },
    });
  });

  it('gets its error with the text of the service, and the service what was thrown', async () => {
    expect(await dispatcher.answer(request('eth_who', 2), anyone)).toEqual({
      response: { jsonrpc: '2.0', id: 2, error: { code: -32000, message: 'said: no', data: rejection } },
      error: rejection,
      forwarded: undefined,
    });
    const { response, error } = await dispatcher.answer({ id: 3 }, anyone);
    expect(response).toMatchObject({ id: 3, error: { code: -32600, data: error } });
  });

  it('gets nothing when it is a notification', async () => {
    const notification = { jsonrpc: '2.0', method: 'eth_own' };
    expect((await dispatcher.answer(notification, anyone)).response).toBeUndefined();
    expect((await dispatcher.answer({ ...notification, method: 'no' }, anyone)).response).toBeUndefined();
  });
});

describe('faults', () => {
  it('of handlers are logged under the request id that the handler had', async () => {
    const logged: LogValues[] = [];
    let seen = '';
    const answer = await dispatch(
      {
        handlers: {
          eth_own: (_params: never, { requestId }: { requestId: string }) => {
            seen = requestId;
            throw new TypeError('detail');
          },
        } as never,
        logger: { ...silentLogger, error: (_message, values) => logged.push(values ?? {}) },
      },
      request('eth_own'),
    );
    expect(answer).toMatchObject({
      error: { code: -32603, message: 'internal error', data: { requestId: seen } },
    });
    expect(logged).toEqual([{ requestId: seen, method: 'eth_own', error: new TypeError('detail') }]);
  });

  it('are not made of a result that the codec does not take without a line in the log', async () => {
    const logged: LogValues[] = [];
    const answer = await dispatch(
      {
        methods: { eth_own: defineMethod({ ...text, result: z.strictObject({ a: z.number() }) }) },
        handlers: { eth_own: () => ({ a: Number.NaN }) },
        logger: { ...silentLogger, error: (_message, values) => logged.push(values ?? {}) },
      },
      request('eth_own'),
    );
    expect(answer).toEqual(refused(-32603));
    expect(logged).toHaveLength(1);
  });

  it('include an answer that cannot be written, which gets its id', async () => {
    const circle: Record<string, unknown> = {};
    circle['self'] = circle;
    expect(await dispatch({ handlers: { eth_who: () => circle } }, request('eth_who', 5))).toMatchObject({
      id: 5,
      error: { code: -32603 },
    });
  });

  it('are not errors in the log when the client disconnected', async () => {
    const lines: string[] = [];
    const client = new AbortController();
    const abandoned = dispatch(
      {
        handlers: {
          eth_own: (_params: never, { signal }: { signal: AbortSignal }) =>
            new Promise((_done, fail) =>
              signal.addEventListener('abort', () => fail(signal.reason as Error)),
            ),
        } as never,
        logger: {
          ...silentLogger,
          debug: (message) => void lines.push(`debug ${message}`),
          error: (message) => void lines.push(`error ${message}`),
        },
      },
      request('eth_own'),
      { headers: {}, signal: client.signal },
    );
    client.abort();
    await abandoned;
    expect(lines).toEqual(['debug call abandoned with its client']);
  });
});

describe('metrics', () => {
  it('count calls, errors by reason and time for each method, and what never became a call', async () => {
    const seen: string[] = [];
    const record = (name: string) => (labels?: Readonly<Record<string, string>>) =>
      void seen.push(`${name} ${Object.values(labels ?? {}).join(' ')}`);
    const metrics: Metrics = {
      ...silentMetrics,
      counter: (name) => ({
        increment: record(name),
        series: (labels) => ({ increment: () => record(name)(labels) }),
      }),
      histogram: (name) => ({
        observe: (_value, labels) => record(name)(labels),
        series: (labels) => ({ observe: () => record(name)(labels) }),
      }),
    };
    await dispatch({ metrics }, [
      request('eth_own'),
      { ...request('eth_own'), params: [1] },
      request('eth_no'),
      5,
    ]);
    await dispatch({ metrics }, '{');
    expect(seen.sort()).toEqual([
      'test_service_rpc_call_seconds eth_own',
      'test_service_rpc_call_seconds eth_own',
      'test_service_rpc_calls_total eth_own',
      'test_service_rpc_calls_total eth_own',
      'test_service_rpc_errors_total eth_own INVALID_PARAMS',
      'test_service_rpc_errors_total none INVALID_REQUEST',
      'test_service_rpc_errors_total none METHOD_NOT_FOUND',
      'test_service_rpc_errors_total none PARSE_ERROR',
    ]);
  });
});
