import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { writeJson } from '@tetrad/rpc';
import { clientFailure } from './client-failure.js';
import { GatheredCalls } from './gathered-calls.js';
import { BATCH_CALLS, BATCH_CHARACTERS } from './params.js';

afterEach(() => {
  jest.restoreAllMocks();
});

const HEADERS = { 'content-type': 'application/json', 'user-agent': 'a' };
const METHOD = 'eth_sendRawTransaction';

interface Request {
  readonly id: unknown;
  readonly params: readonly unknown[];
}

type Said = string | Error | { readonly status: number; readonly body: string };

/** Records the bodies it gets, and answers each with the given function. */
function client(say: (body: string) => Said) {
  const bodies: string[] = [];
  const calls = new GatheredCalls((body) => {
    bodies.push(body);
    const said = say(body);
    if (said instanceof Error) return Promise.reject(said);
    const { status, body: text } = typeof said === 'string' ? { status: 200, body: said } : said;
    return Promise.resolve({ status, headers: { 'x-client': 'c' }, body: Buffer.from(text) });
  });
  const ask = async (param: string, id: string | number | bigint | null, headers = HEADERS) => {
    const answer = await calls.ask({ method: METHOD, params: [param] }, id, headers);
    return { ...answer, body: Buffer.from(answer.body).toString() };
  };
  return { ask, bodies };
}

const echo = ({ id, params: [param] }: Request) => ({ jsonrpc: '2.0', id, result: param });

/** Takes batches, and answers them back to front. */
function takesBatches(body: string): string {
  const read = JSON.parse(body) as Request | readonly Request[];
  return writeJson(Array.isArray(read) ? read.map(echo).reverse() : echo(read as Request));
}

const bodiesOf = (answers: readonly { readonly body: string }[]) =>
  answers.map(({ body }) => JSON.parse(body) as unknown);

describe('calls that are made at the same time', () => {
  it('travel in one batch in their order; each is answered under its own id, whatever that is', async () => {
    const { ask, bodies } = client(takesBatches);
    const ids = [0, 0, 'a', null, 2n ** 70n];
    const answers = await Promise.all(ids.map((id, index) => ask(`p${index}`, id)));
    expect(bodies).toHaveLength(1);
    expect(JSON.parse(bodies[0] as string)).toEqual(
      ids.map((_, index) => ({ jsonrpc: '2.0', method: METHOD, params: [`p${index}`], id: index })),
    );
    expect(answers.map(({ body }) => body)).toEqual(
      ids.map((id, index) => `{"jsonrpc":"2.0","id":${writeJson(id)},"result":"p${index}"}`),
    );
    expect(answers[0]).toMatchObject({ status: 200, headers: { 'x-client': 'c' } });
  });

  it('travel apart under different headers', async () => {
    const { ask, bodies } = client(takesBatches);
    const others = { ...HEADERS, authorization: 'Bearer b' };
    await Promise.all([ask('a', 1), ask('b', 2, others), ask('c', 3), ask('d', 4, others)]);
    expect(bodies.map((body) => (JSON.parse(body) as Request[]).map(({ params }) => params[0]))).toEqual([
      ['a', 'c'],
      ['b', 'd'],
    ]);
  });

  it('are as many batches as their number and their size want', async () => {
    const { ask, bodies } = client(takesBatches);
    await Promise.all(Array.from({ length: BATCH_CALLS + 2 }, (_, index) => ask('p', index)));
    const large = 'f'.repeat(BATCH_CHARACTERS / 2);
    await Promise.all([ask(large, 1), ask('p', 2), ask(large, 3), ask(large + large, 4), ask('p', 5)]);
    const sizes = bodies.map((body) => [JSON.parse(body) as Request].flat().length);
    expect(sizes).toEqual([BATCH_CALLS, 2, 2, 1, 1, 1]);
  });

  it('are single requests when they are made one after the other', async () => {
    const { ask, bodies } = client(takesBatches);
    for (const id of [7, 'x']) await ask('p', id);
    expect(bodies.map((body) => JSON.parse(body) as unknown)).toEqual(
      [7, 'x'].map((id) => ({ jsonrpc: '2.0', method: METHOD, params: ['p'], id })),
    );
  });

  it('get the error meant for each, and an unusable answer where the batch has none', async () => {
    const { ask } = client(() => '[{"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"no"}},null,7]');
    const [first, second] = await Promise.allSettled([ask('a', 5), ask('b', 6)]);
    expect(first).toMatchObject({ reason: { data: { reason: 'DOWNSTREAM_ANSWER_UNUSABLE' } } });
    expect(second).toMatchObject({
      value: { body: '{"jsonrpc":"2.0","id":6,"error":{"code":-32000,"message":"no"}}' },
    });
  });
});

const rejection = (code: number) =>
  JSON.stringify({ jsonrpc: '2.0', id: null, error: { code, message: 'no' } });

describe('a client that takes no batches', () => {
  it.each([
    { status: 200, body: rejection(-32600) },
    { status: 200, body: rejection(-32005) },
    { status: 400, body: rejection(-32700) },
    { status: 413, body: '<html>413</html>' },
    { status: 429, body: '' },
  ])('is asked one by one after %p, and for a minute from then on', async (said) => {
    let now = 1_000;
    jest.spyOn(performance, 'now').mockImplementation(() => now);
    const { ask, bodies } = client((body) => (body.startsWith('[') ? said : takesBatches(body)));
    const pair = () => Promise.all([ask('a', 'x'), ask('b', 'y')]);
    const own = [
      { jsonrpc: '2.0', id: 'x', result: 'a' },
      { jsonrpc: '2.0', id: 'y', result: 'b' },
    ];
    const batches = () => bodies.filter((body) => body.startsWith('[')).length;
    expect(bodiesOf(await pair())).toEqual(own);
    now += 59_999;
    expect(bodiesOf(await pair())).toEqual(own);
    expect(batches()).toBe(1);
    now += 1;
    expect(bodiesOf(await pair())).toEqual(own);
    expect(batches()).toBe(2);
  });

  it.each([
    { status: 200, body: '<html>busy</html>' },
    { status: 200, body: '' },
    { status: 502, body: '<html>bad gateway</html>' },
    { status: 504, body: '' },
    { status: 400, body: rejection(-32603) },
    { status: 200, body: rejection(-32002) },
  ])('is not asked again after %p: it may have begun', async (said) => {
    const { ask, bodies } = client((body) => (body.startsWith('[') ? said : takesBatches(body)));
    const unusable = { reason: { data: { reason: 'DOWNSTREAM_ANSWER_UNUSABLE' } } };
    expect(await Promise.allSettled([ask('a', 1), ask('b', 2)])).toMatchObject([unusable, unusable]);
    expect(bodies).toHaveLength(1);
    await Promise.all([ask('c', 3), ask('d', 4)]);
    expect(bodies).toHaveLength(3);
  });

  it('fails all calls of a batch that was lost, and is not sent another one for now', async () => {
    const { ask, bodies } = client((body) =>
      body.startsWith('[') ? clientFailure(new Error('reset')) : takesBatches(body),
    );
    const lost = { reason: { data: { reason: 'DOWNSTREAM_CONNECTION_LOST' } } };
    expect(await Promise.allSettled([ask('a', 1), ask('b', 2)])).toMatchObject([lost, lost]);
    await Promise.all([ask('a', 1), ask('b', 2)]);
    expect(bodies).toHaveLength(3);
  });
});
