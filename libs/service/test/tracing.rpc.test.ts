import { once } from 'node:events';
import { createServer, request as httpRequest, type RequestListener } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createMetrics, createCaller, startTracing, type RequestTracing } from '@tetrad/service';
import { TraceCollector, type CollectedSpan } from '@tetrad/service/trace-collector';
import { RequestError, silentLogger, type LogValues, type Tracer } from '@tetrad/types';
import { setCaller } from '../src/caller.js';
import { MAX_WAITING_SPANS } from '../src/tracing/bounded-export.js';

const TRACE_ID = '0af7651916cd43dd8448eb211c80319c';
const PARENT = 'b7ad6b7169203331';
const SAMPLED = { traceparent: `00-${TRACE_ID}-${PARENT}-01` };

let collector: TraceCollector;
let stops: (() => Promise<unknown> | void)[];
beforeEach(async () => {
  collector = await TraceCollector.start();
  stops = [() => collector.close()];
});
afterEach(async () => {
  for (const stop of stops) await stop();
});

/** Polls until the condition holds; this library cannot use the testkit, which uses it. */
async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await new Promise((tick) => setTimeout(tick, 20));
}

interface Traced {
  readonly tracing: RequestTracing;
  readonly tracer: Tracer;
  readonly warnings: LogValues[];
  metric(name: string): Promise<number>;
}

async function traced(sampleRatio = 1): Promise<Traced> {
  const metrics = createMetrics({ service: 'test', version: '1' });
  const warnings: LogValues[] = [];
  const logger = { ...silentLogger, warn: (_: string, values: LogValues = {}) => void warnings.push(values) };
  const settings = { endpoint: new URL('/v1/traces', collector.url), sampleRatio };
  const tracing = await startTracing({ service: 'test', version: '1', logger, metrics, settings });
  if (tracing === undefined) throw new Error('tracing is off');
  stops.unshift(() => tracing.stop());
  const metric = async (name: string) => {
    const lines = (await metrics.expose()).split('\n').filter((line) => line.startsWith(name));
    return lines.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
  };
  return { tracing, tracer: tracing.tracer, warnings, metric };
}

/** A server whose handler reads the body and then works in a span. */
async function serve({ tracing, tracer }: Traced, subject?: string): Promise<string> {
  const handle = tracing.wrap((request, response) => {
    request.resume();
    request.on('end', () => {
      void tracer.run('work', async () => response.end(JSON.stringify(tracer.headers())));
    });
  });
  const port = await listen((request, response) => {
    if (subject !== undefined) setCaller(request, createCaller(subject, []));
    handle(request, response);
  });
  return `http://127.0.0.1:${port}`;
}

/** @returns the port of a server */
async function listen(listener: RequestListener): Promise<number> {
  const server = createServer(listener);
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  stops.unshift(() => void server.close());
  return (server.address() as AddressInfo).port;
}

/** Sends requests to a server in one connection, each before the answer to the one before. */
async function send(paths: readonly string[], listener: RequestListener): Promise<Socket> {
  const client = connect({ port: await listen(listener), host: '127.0.0.1' });
  client.on('error', () => undefined);
  client.write(paths.map((path) => `GET ${path} HTTP/1.1\r\nHost: h\r\n\r\n`).join(''));
  return client;
}

/** @returns the headers that the handler would send on */
function post(url: string, headers: Record<string, string | string[]> = {}): Promise<Record<string, string>> {
  return new Promise((done, fail) => {
    const outgoing = httpRequest(
      `${url}/send/secret-key?token=secret`,
      { method: 'POST', headers },
      (response) => {
        let text = '';
        response.on('data', (chunk: Buffer) => (text += chunk.toString()));
        response.on('end', () => done(JSON.parse(text) as Record<string, string>));
      },
    );
    outgoing.once('error', fail).end('a body');
  });
}

/** The spans of one request that arrived. */
function spans(): { readonly request: CollectedSpan | undefined; readonly work: CollectedSpan | undefined } {
  const named = (name: string) => collector.spans.find((span) => span.name === name);
  return { request: named('POST /send'), work: named('work') };
}

describe('a request', () => {
  it('is a span below that of its caller, and the next service gets the span that calls it', async () => {
    const service = await traced();
    const headers = await post(await serve(service, 'caller'), { ...SAMPLED, tracestate: 'rojo=1' });
    await service.tracing.stop();
    const { work, request } = spans();
    expect(request).toMatchObject({ service: 'tetrad-test', traceId: TRACE_ID, parentSpanId: PARENT });
    expect(work).toMatchObject({ name: 'work', traceId: TRACE_ID, parentSpanId: request?.spanId });
    expect(headers).toEqual({ traceparent: `00-${TRACE_ID}-${work?.spanId}-01`, tracestate: 'rojo=1' });
  });

  it('shows of its path the first word only', async () => {
    const service = await traced();
    await post(await serve(service));
    await service.tracing.stop();
    expect(spans().request).toMatchObject({
      name: 'POST /send',
      attributes: { 'url.path': '/send', 'http.request.method': 'POST', 'http.response.status_code': 200 },
    });
    expect(collector.bodies.join('')).not.toContain('secret');
  });

  it('ends with its connection, also behind another one that is not answered', async () => {
    const { tracing } = await traced();
    const sockets: Socket[] = [];
    const client = await send(
      ['/first', '/second'],
      tracing.wrap(({ socket }) => void sockets.push(socket)),
    );
    await until(() => sockets.length === 2);
    const closed = once(sockets[1] as Socket, 'close');
    client.destroy();
    await closed;
    await tracing.stop();
    const ended = collector.spans.map(({ name, isError }) => ({ name, isError }));
    expect(ended).toEqual(['GET /first', 'GET /second'].map((name) => ({ name, isError: true })));
  });

  it('ends at once when its connection did so while the caller was checked', async () => {
    const { tracing } = await traced();
    const handle = tracing.wrap(() => undefined);
    let isHandled = false;
    const client = await send(['/late'], (request, response) => {
      response.once('close', () => {
        handle(request, response);
        isHandled = true;
      });
      client.destroy();
    });
    await until(() => isHandled);
    await tracing.stop();
    expect(collector.spans).toMatchObject([{ name: 'GET /late', isError: true }]);
  });

  it('starts a trace when its headers are malformed', async () => {
    const service = await traced();
    await post(await serve(service, 'caller'), { traceparent: `${SAMPLED.traceparent}-more` });
    await service.tracing.stop();
    expect(spans().request?.parentSpanId).toBe('');
    expect(spans().request?.traceId).not.toBe(TRACE_ID);
  });
});

describe('the flag of a caller', () => {
  it('decides when the caller has a token, whatever the ratio of the service is', async () => {
    const headers = await post(await serve(await traced(0), 'caller'), SAMPLED);
    expect(headers['traceparent']).toMatch(new RegExp(`^00-${TRACE_ID}-[0-9a-f]{16}-01$`));
    const unsampled = { traceparent: SAMPLED.traceparent.replace(/01$/, '00') };
    expect((await post(await serve(await traced(1), 'caller'), unsampled))['traceparent']).toMatch(/-00$/);
  });

  it('samples nothing beyond the ratio of the service when the caller has no token', async () => {
    expect((await post(await serve(await traced(0)), SAMPLED))['traceparent']).toMatch(/-00$/);
    expect((await post(await serve(await traced(1)), SAMPLED))['traceparent']).toMatch(/-01$/);
  });

  it('is not heeded for ever when the caller has no token', async () => {
    const url = await serve(await traced());
    const flags = new Set<string | undefined>();
    await until(async () => {
      const answers = await Promise.all(Array.from({ length: 300 }, () => post(url, SAMPLED)));
      for (const { traceparent } of answers) flags.add(traceparent?.slice(-2));
      return flags.size === 2;
    });
  });
});

describe('a span', () => {
  it('keeps of an error its code only', async () => {
    const { tracer, tracing } = await traced();
    const fail = () => Promise.reject(new RequestError('NONCE_TOO_LOW', 'with a payload in its text'));
    await expect(tracer.run('fails', fail)).rejects.toThrow('with a payload');
    await tracing.stop();
    expect(collector.spans[0]).toMatchObject({
      isError: true,
      attributes: { 'error.type': 'NONCE_TOO_LOW' },
    });
    expect(collector.bodies.join('')).not.toContain('payload');
  });

  it('is not a parent once it has ended', async () => {
    const { tracer } = await traced();
    let headers: unknown;
    tracer.run('request', () => setImmediate(() => (headers = tracer.headers())));
    await until(() => headers !== undefined);
    expect(headers).toEqual({});
  });

  it('can be below one that was current before, and begin in the past', async () => {
    const { tracer, tracing } = await traced();
    const below = tracer.run('first', () => tracer.headers());
    tracer.record('later', { below, startMs: 1_000, values: { block: 7 } });
    await tracing.stop();
    const [first, later] = collector.spans;
    expect(later).toMatchObject({ parentSpanId: first?.spanId, attributes: { block: 7 } });
  });
});

describe('spans that are not sampled', () => {
  it('send all the same headers on, so that calls can share a request', async () => {
    const { tracer } = await traced(0);
    const first = tracer.run('a', () => tracer.headers());
    expect(tracer.run('b', () => tracer.headers())).toEqual(first);
    expect(first['traceparent']).toMatch(/-00$/);
  });
});

describe('a collector', () => {
  it('that refuses spans costs these spans, counted, with one line in the log', async () => {
    const { tracer, metric, warnings } = await traced();
    collector.status = 400;
    tracer.run('lost', () => undefined);
    await until(async () => (await metric('test_tracing_spans_dropped_total')) === 1);
    tracer.run('lost too', () => undefined);
    await until(async () => (await metric('test_tracing_spans_dropped_total')) === 2);
    expect(warnings).toHaveLength(1);
    collector.status = 200;
    tracer.run('kept', () => undefined);
    await until(async () => (await metric('test_tracing_spans_exported_total')) === 1);
    expect(collector.spans.map(({ name }) => name)).toEqual(['kept']);
  });

  it('that is slower than the service loses what does not fit, counted', async () => {
    const { tracer, metric } = await traced();
    // In one turn of the event loop, so that only the first batches can be under way.
    for (let index = 0; index < 3 * MAX_WAITING_SPANS; index++) tracer.run('many', () => undefined);
    expect(await metric('test_tracing_spans_dropped_total{reason="queue full"}')).toBeGreaterThan(0);
    await until(async () => {
      const lost = await metric('test_tracing_spans_dropped_total');
      return lost + (await metric('test_tracing_spans_exported_total')) === 3 * MAX_WAITING_SPANS;
    });
  });
});
