import { describe, expect, it } from '@jest/globals';
import { readJson, writeJson } from '@tetrad/rpc';
import { errorOf, resultOf } from '../fake-node.js';
import { IMPATIENT_MS, useFakeNode } from '../fake-setup.js';
import { ACCOUNT, startSigner } from '../running-signer.js';

const fake = useFakeNode({
  flags: ['--downstream-http-path', '/node//rpc/'],
});

const values = (answer: { rawHeaders: readonly string[] }, wanted: string) =>
  answer.rawHeaders.filter((_, at) => at % 2 === 1 && answer.rawHeaders[at - 1]?.toLowerCase() === wanted);

describe('a request that is not the proxy’s own', () => {
  it('reaches the client byte for byte, and so does the answer the caller', async () => {
    const body = ' {"method":"eth_foo", "params" :[1.0, 9007199254740993],\n"id":1e0}';
    const answer = ' {"result" : 1.00, "id":1}\n';
    fake.node.behave(() => ({
      body: answer,
      headers: { Random: ['firstValue', 'secondValue'], 'X-A': 'b' },
    }));
    const got = await fake.signer.post(body);
    expect(fake.node.seen[0]).toMatchObject({ method: 'POST', url: '/node/rpc', body });
    expect(got).toMatchObject({ status: 200, text: answer });
    // SP-15
    expect(values(got, 'random')).toEqual(['firstValue', 'secondValue']);
    expect(got.headers).toMatchObject({ 'x-a': 'b', 'content-length': String(answer.length) });
  });

  it.each<[string, { status: number; body: string; headers?: Record<string, string> }]>([
    ['a status of its own', { status: 404, body: 'Not Found', headers: { 'Content-Type': 'text/plain' } }],
    ['malformed JSON', { status: 200, body: '{"result"' }],
    ['nothing', { status: 204, body: '' }],
    ['an error of HTTP', { status: 401, body: '', headers: { 'WWW-Authenticate': 'Basic' } }],
  ])('gets %s as the client gives it', async (_what, given) => {
    fake.node.behave(() => given);
    const got = await fake.signer.post('{"jsonrpc":"2.0","id":1,"method":"eth_protocolVersion"}');
    expect(got).toMatchObject({ status: given.status, text: given.body });
    if (given.headers !== undefined)
      expect(got.rawHeaders).toEqual(expect.arrayContaining(Object.values(given.headers)));
  });

  it.each([
    ['GET', '/api/v1/eth1/publicKeys'],
    ['POST', `/api/v1/eth1/sign/${'ab'.repeat(64)}`],
  ])('reaches the client on %s %s too, which only web3signer answers itself', async (method, path) => {
    const body = method === 'POST' ? '{"data":"0x3432"}' : '';
    const answer = { status: 404, body: 'no such path' };
    fake.node.behave(() => answer);
    expect(await fake.signer.request({ method, path, body })).toMatchObject({
      status: 404,
      text: answer.body,
    });
    expect(fake.node.seen).toEqual([expect.objectContaining({ method, url: `/node/rpc${path}`, body })]);
  });

  it('carries the host that it was sent to, and not the page that sent it', async () => {
    await fake.signer.post('{"id":1,"method":"eth_foo"}', {
      host: 'localhost',
      'x-forwarded-host': 'nowhere',
      authorization: 'Bearer of news',
      connection: 'x-hop',
      'x-hop': '1',
      'x-a': 'b',
    });
    const [seen] = fake.node.seen;
    expect(seen?.headers).toMatchObject({
      'x-forwarded-host': 'localhost',
      authorization: 'Bearer of news',
      'x-a': 'b',
    });
    expect(seen?.headers.host).toBe(`127.0.0.1:${fake.node.port}`);
    expect(seen?.headers['x-hop']).toBeUndefined();
  });

  it.each([
    ['forwarded', '{"jsonrpc":"2.0","id":1,"method":"eth_foo"}'],
    ['in a mixed batch', '[{"id":1,"method":"eth_foo"},{"id":2,"method":"eth_accounts"}]'],
    [
      'sent by the proxy',
      JSON.stringify({ id: 1, method: 'eth_sendTransaction', params: [{ from: ACCOUNT }] }),
    ],
  ])('carries headers that stand more than once as they came when it is %s', async (_how, body) => {
    await fake.signer.post(body, { 'x-many': ['a, b', 'c'], 'x-more': ['d', 'e'], via: ['one', 'two'] });
    expect(fake.node.seen).not.toEqual([]);
    for (const seen of fake.node.seen) {
      expect(values(seen, 'x-many')).toEqual(['a, b', 'c']);
      expect(values(seen, 'x-more')).toEqual(['d', 'e']);
      expect(values(seen, 'via')).toEqual(['one', 'two']);
    }
  });

  it.each([
    ['DELETE', '/login', '/node/rpc/login', 'gone'],
    ['PUT', '/a//b/?q=1', '/node/rpc/a/b?q=1', '{"method":"eth_accounts"}'],
    ['GET', '/', '/node/rpc', ''],
    ['POST', '/login', '/node/rpc/login', '{"method":"eth_accounts","id":1}'],
    ['GET', '/../../secret', '/node/rpc/secret', ''],
  ])('may be %s %s, which reaches %s', async (method, path, url, body) => {
    fake.node.behave(() => ({ status: 418, body: 'teapot' }));
    const headers = { 'content-length': String(body.length) };
    expect(await fake.signer.request({ method, path, body, headers })).toMatchObject({
      status: 418,
      text: 'teapot',
    });
    expect(fake.node.seen).toMatchObject([{ method, url, body }]);
  });

  it.each(['//', '/?a=b', '/./', 'http://elsewhere/'])(
    'is read as JSON-RPC when POST %s reaches the client’s JSON-RPC',
    async (path) => {
      const body = '{"jsonrpc":"2.0","id":1,"method":"eth_accounts"}';
      const headers = { 'content-type': 'application/json' };
      const { text } = await fake.signer.request({ path, body, headers });
      expect(JSON.parse(text)).toMatchObject({ result: [ACCOUNT] });
      expect(fake.node.seen).toEqual([]);
    },
  );
});

describe('a body for JSON-RPC', () => {
  it.each(['text/plain; charset=utf-16', 'application/json; charset=utf-16'])(
    'of the content type %s reaches neither an account nor the client',
    async (type) => {
      for (const method of ['eth_accounts', 'net_version']) {
        const body = `{"jsonrpc":"2.0","id":1,"method":"${method}"}`;
        const answer = await fake.signer.request({ path: '/', body, headers: { 'content-type': type } });
        expect(answer.status).toBe(415);
        expect(answer.text).toContain('the charset of a JSON-RPC body is utf-8');
      }
      expect(fake.node.seen).toEqual([]);
    },
  );

  it.each([undefined, 'text/plain'])(
    'of the content type %s is refused unread from a page of another origin, and answered otherwise',
    async (type) => {
      const body = '{"jsonrpc":"2.0","id":1,"method":"eth_accounts"}';
      const headers: Record<string, string> = type === undefined ? {} : { 'content-type': type };
      const foreign = { ...headers, origin: 'https://evil.example' };
      expect((await fake.signer.request({ path: '/', body, headers: foreign })).status).toBe(403);
      const { status, text } = await fake.signer.request({ path: '/', body, headers });
      expect([status, JSON.parse(text)]).toMatchObject([200, { result: [ACCOUNT] }]);
    },
  );

  it.each([
    ['no JSON', '{'],
    ['no object', '"eth_accounts"'],
    ['no method', '{"jsonrpc":"2.0","id":1}'],
    ['a method of null', '{"jsonrpc":"2.0","id":1,"method":null}'],
    ['an object as id', '{"jsonrpc":"2.0","id":{},"method":"eth_accounts"}'],
    ['an array as id', '{"jsonrpc":"2.0","id":[],"method":"eth_foo"}'],
    ['a boolean as id', '{"jsonrpc":"2.0","id":true,"method":"eth_foo"}'],
  ])('with %s is refused, and the client hears nothing of it', async (_what, body) => {
    const { status, text } = await fake.signer.post(body);
    expect([status, JSON.parse(text)]).toMatchObject([
      400,
      { jsonrpc: '2.0', id: null, error: { code: -32700, message: 'Parse error' } },
    ]);
    expect(fake.node.seen).toEqual([]);
  });

  it('with a duplicate key is refused: the client might read the other one', async () => {
    const { status, text } = await fake.signer.post(
      '{"id":1,"method":"eth_accounts","method":"eth_sendTransaction"}',
    );
    expect([status, JSON.parse(text)]).toMatchObject([
      400,
      { error: { code: -32600, message: 'Invalid Request' } },
    ]);
    expect(fake.node.seen).toEqual([]);
  });

  it.each([['"a"'], ['9007199254740993'], ['1.5'], ['null'], ['-7']])('gets its id %s back', async (id) => {
    const { text } = await fake.signer.post(`{"id":${id},"method":"eth_accounts","jsonrpc":2.0}`);
    expect(text).toContain(`"id":${id}`);
  });

  it('gets an answer without an id too, whatever answer it accepts', async () => {
    const answer = await fake.signer.post('{"method":"eth_accounts","params":null}', {
      accept: 'text/plain',
    });
    expect(JSON.parse(answer.text)).toEqual({ jsonrpc: '2.0', id: null, result: [ACCOUNT] });
    // SP-03
    expect(answer.headers).toMatchObject({ content: 'application/json', 'content-type': 'application/json' });
  });

  it.each([
    ['compressed', { 'content-encoding': 'gzip' }, '{}', 415],
    ['too large', {}, `{"method":"${'x'.repeat(1_100_000)}"}`, 413],
  ])('is not taken %s', async (_how, headers, body, status) => {
    expect((await fake.signer.post(body, headers)).status).toBe(status);
    expect(fake.node.seen).toEqual([]);
  });
});

describe('a batch', () => {
  it('of methods of the client alone reaches it byte for byte', async () => {
    const body = ' [{"id":1, "method":"eth_foo"},{"id":1.0,"method":"eth_bar"}]';
    fake.node.behave(() => '[ ]');
    expect((await fake.signer.post(body)).text).toBe('[ ]');
    expect(fake.node.seen[0]?.body).toBe(body);
  });

  it('that is mixed is put together again, in order, from one batch to the client', async () => {
    fake.node.behave(({ body }) => {
      const requests = readJson(body, 8) as { id?: unknown; method: string }[];
      const answers = requests
        .filter(({ id }) => id !== undefined)
        .map(({ id, method }) => ({ jsonrpc: '2.0', id, result: method }));
      return writeJson(answers.reverse()).replaceAll('"big"', '18446744073709551617');
    });
    const { status, text } = await fake.signer.post(
      `[{"jsonrpc":"2.0","id":"a","method":"eth_foo"},
        {"jsonrpc":"2.0","id":9007199254740993,"method":"big"},
        {"jsonrpc":"2.0","id":2,"method":"eth_accounts"},
        {"jsonrpc":"2.0","method":"eth_notified"},
        {"jsonrpc":"2.0","method":"eth_accounts"},
        {"jsonrpc":"2.0","id":3,"method":"eth_sign","params":[]},
        5,
        {"jsonrpc":"2.0","id":null,"method":"eth_bar"}]`,
    );
    expect(status).toBe(200);
    expect(fake.node.seen).toHaveLength(1);
    expect(text).toContain('"id":9007199254740993,"result":18446744073709551617');
    const answers = JSON.parse(text) as unknown[];
    expect([answers[0], ...answers.slice(2)]).toMatchObject([
      { id: 'a', result: 'eth_foo' },
      { id: 2, result: [ACCOUNT] },
      { id: 3, error: { code: -32602, message: 'Invalid params' } },
      { id: null, error: { code: -32600, message: 'Invalid Request' } },
      { id: null, result: 'eth_bar' },
    ]);
  });

  it.each([
    [
      'refuses it whole',
      (): string => '{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"no batches"}}',
      -32600,
    ],
    ['answers another id', (): string => '[{"jsonrpc":"2.0","id":77,"result":1}]', -32603],
    ['answers HTML', (): string => '<html>', -32603],
    ['closes the connection', undefined, -32603],
  ])('that is mixed has an answer for each when the client %s', async (_what, behaviour, code) => {
    fake.node.behave((_request, response) => {
      if (behaviour === undefined) response.destroy();
      return behaviour?.();
    });
    const { text } = await fake.signer.post('[{"id":1,"method":"eth_foo"},{"id":2,"method":"eth_accounts"}]');
    expect(JSON.parse(text)).toMatchObject([
      { id: 1, error: { code } },
      { id: 2, result: [ACCOUNT] },
    ]);
  });

  it.each([
    ['that is empty', '[]'],
    ['of too many', JSON.stringify(Array.from({ length: 1001 }, (_, id) => ({ id, method: 'eth_foo' })))],
  ])('%s is refused', async (_what, body) => {
    const { status, text } = await fake.signer.post(body);
    expect([status, JSON.parse(text)]).toMatchObject([400, { id: null, error: { code: -32600 } }]);
    expect(fake.node.seen).toEqual([]);
  });

  it('of notifications has no answer', async () => {
    fake.node.behave((request) => resultOf(request, 1));
    const body = '[{"method":"eth_foo"},{"method":"eth_accounts"}]';
    expect(await fake.signer.post(body)).toMatchObject({ status: 204, text: '' });
  });
});

describe('a client that falls silent', () => {
  const silent = useFakeNode({ requestTimeoutMs: IMPATIENT_MS });
  const timedOut = {
    status: 504,
    error: { code: -32000, message: 'Connection to downstream node timed out' },
  };

  it('is waited for no longer than a request may take', async () => {
    silent.node.behave(() => undefined);
    expect(await silent.signer.call('eth_blockNumber')).toMatchObject(timedOut);
    expect(await silent.signer.request({ method: 'GET', path: '/x' })).toMatchObject({
      status: 504,
      text: '',
    });
  });

  it('in the middle of its answer is waited for no longer either', async () => {
    silent.node.behave((_request, response) => {
      response.writeHead(200, { 'Content-Length': 100 }).write('{"res');
      return undefined;
    });
    expect(await silent.signer.call('eth_blockNumber')).toMatchObject(timedOut);
  });
});

describe('a client that does not answer', () => {
  const call = () => fake.signer.call('eth_blockNumber');

  it('and closes in the middle gives 500', async () => {
    fake.node.behave((_request, response) => {
      response.writeHead(200, { 'Content-Length': 100 }).write('{"res');
      setTimeout(() => response.destroy(), 20);
      return undefined;
    });
    expect(await call()).toMatchObject({ status: 500, error: { code: -32603, message: 'Internal error' } });
  });

  it('answers again as soon as it is back', async () => {
    fake.node.behave((_request, response) => void response.destroy());
    expect((await call()).status).toBe(500);
    fake.node.behave((request) => errorOf(request, -32601, 'Method not found'));
    // SP-06
    expect(await call()).toMatchObject({ status: 200, error: { code: -32601, message: 'Method not found' } });
  });
});

describe('a client that is not there', () => {
  it('gives 504 to what is passed through, and /upcheck is up all the same', async () => {
    const alone = await startSigner({ downstreamPort: 9 });
    // SP-16
    expect(await alone.call('eth_blockNumber')).toMatchObject({
      status: 504,
      error: { code: -32000, message: 'Failed to connect to downstream node' },
    });
    expect(await alone.request({ method: 'GET', path: '/elsewhere' })).toMatchObject({
      status: 504,
      text: '',
    });
    // SP-08
    expect(await alone.request({ method: 'GET', path: '/upcheck' })).toMatchObject({
      status: 200,
      text: "I'm up!",
    });
    await alone.stop();
  });
});
