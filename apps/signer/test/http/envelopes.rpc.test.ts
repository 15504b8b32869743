import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { obliging, resultOf, startFakeNode, type FakeNode } from '../fake-node.js';
import { startSigner, type RawAnswer, type RunningSigner } from '../running-signer.js';
import { createTokenIssuer, type TokenIssuer } from '../token-issuer.js';

const JSON_UTF_8 = 'application/json';
const ALLOWED = '{"jsonrpc":"2.0","id":1,"method":"eth_blockNumber"}';

let node: FakeNode;
let issuer: TokenIssuer;
let signer: RunningSigner;
/** Permits eth_blockNumber, and requests that are not JSON-RPC to be forwarded. */
let authorization: string;
beforeAll(async () => {
  node = await startFakeNode();
  issuer = await createTokenIssuer();
  signer = await startSigner({ downstreamPort: node.port, flags: issuer.flags });
  authorization = await issuer.tokenOf('reader', ['eth_blockNumber', 'relay']);
});
afterAll(async () => {
  await signer.stop();
  await node.stop();
  await issuer.remove();
});
beforeEach(() => node.behave((request) => resultOf(request, '0x1')));

const post = (body: string | Buffer, type: string | undefined = JSON_UTF_8, headers = {}) =>
  signer.request({
    body,
    headers: { authorization, 'content-type': type, ...headers },
  });
const errorsOf = ({ text }: RawAnswer) =>
  [JSON.parse(text) as { error?: { code: number; data?: { problem?: string } } }].flat();

/** Requests that a token for eth_blockNumber does not cover, to a client that reads them in its own way. */
const MISREAD: readonly (readonly [string, string])[] = [
  ['capitals', '{"jsonrpc":"2.0","id":1,"method":"eth_blockNumber","METHOD":"personal_newAccount"}'],
  [
    'one capital, first',
    '{"Method":"personal_newAccount","jsonrpc":"2.0","id":1,"method":"eth_blockNumber"}',
  ],
  ['an escaped name', '{"id":1,"method":"eth_blockNumber","\\u006dEthod":"personal_newAccount"}'],
  ['the same name twice', '{"id":1,"method":"eth_blockNumber","\\u006dethod":"personal_newAccount"}'],
  ['a long s', '{"jsonrpc":"2.0","id":1,"method":"eth_blockNumber","params":[],"param\u017f":["pw"]}'],
  ['an escaped long s', '{"jsonrpc":"2.0","id":1,"method":"eth_blockNumber","param\\u017f":["pw"]}'],
  ['another id', '{"jsonrpc":"2.0","id":1,"ID":2,"method":"eth_blockNumber"}'],
  ['an unknown member', '{"jsonrpc":"2.0","id":1,"method":"eth_blockNumber","result":{}}'],
  ['a prototype', '{"jsonrpc":"2.0","id":1,"method":"eth_blockNumber","__proto__":{"method":"x"}}'],
  ['a key twice, deep inside', '{"id":1,"method":"eth_blockNumber","params":[{"a":[{"to":1,"to":2}]}]}'],
];

describe('a request that another parser may read as another one', () => {
  it.each(MISREAD)('by %s is not forwarded', async (_how, body) => {
    const answer = await post(body);
    expect([answer.status, errorsOf(answer)[0]]).toMatchObject([400, { error: { code: -32600 } }]);
    expect(node.seen).toEqual([]);
  });

  it.each(MISREAD)('by %s is not forwarded in a batch, whatever else is in it', async (_how, body) => {
    const answer = await post(`[${ALLOWED},${body}]`);
    expect(errorsOf(answer).at(-1)).toMatchObject({ error: { code: -32600 } });
    for (const seen of node.seen) expect(seen.body).not.toMatch(/personal|pw|result|proto/i);
  });

  it('is refused with the name of the member', async () => {
    const names = ['METHOD', 'method\u212a', 'nonsense'];
    const problems = names.map(async (name) => {
      const [answer] = errorsOf(await post(`{"id":1,"method":"eth_blockNumber","${name}":1}`));
      return answer?.error?.data?.problem;
    });
    expect(await Promise.all(problems)).toEqual([
      'the member "METHOD" is method to a reader that folds case',
      'the member "method\u212a" is not one of JSON-RPC',
      'the member "nonsense" is not one of JSON-RPC',
    ]);
  });

  it.each([
    ['UTF-16', 'application/json; charset=utf-16'],
    ['a charset in quotes', 'application/json; charset="utf-7"'],
    ['two charsets', 'application/json; charset=utf-8; CHARSET=utf-16'],
    ['a charset in parts', "application/json; charset*=us-ascii'en'utf-16"],
    ['UTF-16 that is no JSON', 'text/plain; charset=utf-16'],
  ])('is not taken as %s', async (_what, type) => {
    expect((await post(ALLOWED, type)).status).toBe(415);
    expect(node.seen).toEqual([]);
  });

  it.each(['application/json', 'application/json; charset=utf-16'])(
    'is not taken with a second declaration, %s',
    async (second) => {
      const headers = { authorization, 'content-type': ['application/json', second] };
      expect((await signer.request({ body: ALLOWED, headers })).status).toBe(415);
      expect(node.seen).toEqual([]);
    },
  );

  it.each([
    ['application/json; charset=utf-8'],
    ['Application/JSON;charset="UTF-8"'],
    ['application/json-rpc'],
    ['text/plain;charset=UTF-8', 'application/json'],
    ['application/x-www-form-urlencoded', 'application/json'],
  ])('is accepted as %s, and forwarded as JSON', async (type, forwarded = type) => {
    expect(await post(ALLOWED, type)).toMatchObject({ status: 200 });
    expect(node.seen).toMatchObject([{ body: ALLOWED, headers: { 'content-type': forwarded } }]);
  });

  it('is accepted without a declaration, and forwarded as JSON', async () => {
    expect(await signer.request({ body: ALLOWED, headers: { authorization } })).toMatchObject({
      status: 200,
    });
    expect(node.seen).toMatchObject([{ headers: { 'content-type': 'application/json' } }]);
  });

  it('is not taken in other bytes than those of UTF-8', async () => {
    const twoBytes = Buffer.from(ALLOWED, 'utf16le');
    for (const body of [`\ufeff${ALLOWED}`, twoBytes, Buffer.from([0xfe, 0xff, ...twoBytes]), `${ALLOWED}{}`])
      expect((await post(body)).status).toBe(400);
    const coded = [{ 'content-encoding': 'gzip' }, { 'content-encoding': 'identity, gzip' }];
    for (const headers of coded)
      expect((await post(gzipSync(ALLOWED), JSON_UTF_8, headers)).status).toBe(415);
    expect(node.seen).toEqual([]);
  });

  it('is looked at under every method of HTTP', async () => {
    const body = '{"jsonrpc":"2.0","id":1,"method":"personal_newAccount"}';
    for (const method of ['GET', 'PATCH', 'PUT', 'OPTIONS']) {
      const headers = { authorization, 'content-type': JSON_UTF_8, 'content-length': String(body.length) };
      expect(await signer.request({ method, body, headers })).toMatchObject({
        text: expect.stringContaining('not permitted to call personal_newAccount'),
      });
    }
    expect(node.seen).toEqual([]);
    node.behave(obliging);
    expect((await signer.request({ method: 'GET', headers: { authorization } })).status).toBe(200);
  });
});
