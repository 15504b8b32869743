import { gunzipSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import { resultOf } from '../fake-node.js';
import { useFakeNode } from '../fake-setup.js';
import { KA_ADDRESS } from '../reference-keys.js';

const fake = useFakeNode();

const GZIP = { 'accept-encoding': 'deflate, gzip' };
const LARGE = 'x'.repeat(20_000);
const CALL = '{"jsonrpc":"2.0","id":1,"method":"eth_getLogs"}';
const post = (headers: Record<string, string> = {}) => fake.signer.post(CALL, headers);
const largeOf = (text: string) => (JSON.parse(text) as { result: string }).result;

describe('an answer for a caller that accepts gzip', () => {
  it('is compressed when the client did not do it: bytes and length fit', async () => {
    fake.node.behave((request) => ({ body: resultOf(request, LARGE), headers: { Vary: 'Origin' } }));
    const answer = await post(GZIP);
    expect(answer.status).toBe(200);
    expect(answer.headers).toMatchObject({ 'content-encoding': 'gzip', vary: 'Origin, Accept-Encoding' });
    expect(answer.headers['content-length']).toBe(String(answer.body.length));
    expect(answer.body.length).toBeLessThan(1_000);
    expect(largeOf(gunzipSync(answer.body).toString())).toBe(LARGE);
  });

  it('is forwarded unmodified when the client compressed it, or forbids compression', async () => {
    fake.node.behave((request) => ({
      body: gzipSync(resultOf(request, LARGE)),
      headers: { 'Content-Encoding': 'gzip' },
    }));
    expect(largeOf(gunzipSync((await post(GZIP)).body).toString())).toBe(LARGE);
    expect(fake.node.seen[0]?.headers['accept-encoding']).toBe(GZIP['accept-encoding']);
    for (const headers of [{ 'Cache-Control': 'public, no-transform' }, { ETag: '"a"' }]) {
      fake.node.behave((request) => ({ body: resultOf(request, LARGE), headers }));
      const answer = await post(GZIP);
      expect(answer.headers['content-encoding']).toBeUndefined();
      expect(largeOf(answer.text)).toBe(LARGE);
    }
  });

  it('is compressed when it is of the proxy itself', async () => {
    const member = { jsonrpc: '2.0', method: 'eth_accounts' };
    const batch = JSON.stringify(Array.from({ length: 100 }, (_, id) => ({ ...member, id })));
    const { headers, body } = await fake.signer.post(batch, GZIP);
    expect(headers).toMatchObject({ 'content-encoding': 'gzip', content: 'application/json' });
    const answers = JSON.parse(gunzipSync(body).toString()) as unknown[];
    expect(answers).toHaveLength(100);
    expect(answers[99]).toEqual({ jsonrpc: '2.0', id: 99, result: [KA_ADDRESS] });
  });

  it('stays as it is when it is short', async () => {
    fake.node.behave((request) => resultOf(request, 'short'));
    expect((await post(GZIP)).headers['content-encoding']).toBeUndefined();
  });
});

it.each([{}, { 'accept-encoding': 'identity' }, { 'accept-encoding': 'gzip;q=0' }])(
  'an answer for a caller with %j stays as it is',
  async (headers: Record<string, string>) => {
    fake.node.behave((request) => resultOf(request, LARGE));
    const answer = await post(headers);
    expect(answer.headers['content-encoding']).toBeUndefined();
    expect(largeOf(answer.text)).toBe(LARGE);
  },
);
