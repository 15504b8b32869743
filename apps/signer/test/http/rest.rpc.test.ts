import { describe, expect, it } from '@jest/globals';
import { connectDatabase } from '@tetrad/db';
import { SigningKey, keccak256 } from 'ethers/crypto';
import { Transaction, computeAddress, recoverAddress } from 'ethers/transaction';
import { toUtf8Bytes } from 'ethers/utils';
import { useFakeNode } from '../fake-setup.js';
import { BASE, KB, KB_ADDRESS, REFERENCE_CHAIN } from '../reference-keys.js';

/** Of key KB. Source: Consensys/web3signer, acceptance-tests, SecpSigningAcceptanceTest */
const PUBLIC_KEY =
  '0x09b02f8a5fddd222ade4ea4528faefc399623af3f736be3c44f03e2df22fb792f3931a4d9573d333ca74343305762a753388c3422a86d98b713fc91c1ea04842';
const key = new SigningKey(KB);
const NOT_HELD = `0x${new SigningKey(`0x${'01'.repeat(32)}`).publicKey.slice(4)}`;

const fake = useFakeNode({ chainId: REFERENCE_CHAIN, privateKey: KB, flags: ['eth1'] });
const get = (path: string, headers = {}) => fake.signer.request({ method: 'GET', path, headers });
const postTo = (identifier: string, body: string, headers = {}) =>
  fake.signer.request({ path: `/api/v1/eth1/sign/${identifier}`, body, headers });
const sign = (identifier: string, data: unknown) => postTo(identifier, JSON.stringify({ data }));

describe('GET /api/v1/eth1/publicKeys', () => {
  it.each(['/api/v1/eth1/publicKeys', '/api/v1/eth1/publicKeys/', '/api/v1/eth1/publicKeys?a=b'])(
    'lists the public keys of the accounts: %s',
    async (path) => {
      const { status, headers, text } = await get(path);
      expect([status, JSON.parse(text)]).toEqual([200, [PUBLIC_KEY]]);
      expect(headers['content-type']).toContain('application/json');
      expect(computeAddress(`0x04${PUBLIC_KEY.slice(2)}`).toLowerCase()).toBe(KB_ADDRESS);
    },
  );
});

describe('what is addressed to no route', () => {
  const rpc = (jsonrpc: unknown) => JSON.stringify({ jsonrpc, id: 1, method: 'net_version' });

  it.each([
    ['GET', '/', ''],
    ['GET', '/login', ''],
    ['GET', '/api/v1/eth1/other', ''],
    ['GET', `/api/v1/eth1/sign/${PUBLIC_KEY}`, ''],
    ['POST', '/api/v1/eth1/publicKeys', '{}'],
    ['POST', '/login', ''],
    ['POST', '/login', 'user=me'],
    ['POST', '/login', '{"id":1,"method":"net_version"}'],
    ['POST', '/login', rpc('1.0')],
    ['POST', '/login', '{"jsonrpc":"2.0","id":1}'],
    ['POST', '/login', `[${rpc('2.0')}]`],
    ['POST', '/upcheck', ''],
    ['DELETE', '/reload', ''],
    ['PUT', '/', rpc('2.0')],
    ['OPTIONS', '/', ''],
  ])(
    'is not there, and the Ethereum client hears nothing of it: %s %s with %j',
    async (method, path, body) => {
      const headers = { 'content-length': String(body.length) };
      const { status, text } = await fake.signer.request({ method, path, body, headers });
      expect([status, JSON.parse(text)]).toEqual([404, { error: expect.any(String) }]);
      expect(fake.node.seen).toEqual([]);
    },
  );

  it.each([
    ['/login', rpc('2.0')],
    ['/api/v1/eth1/publicKeys?a=b', rpc('2.0')],
    ['/deep//path', '{"jsonrpc":2.0,"id":1,"method":"net_version"}'],
  ])('goes to the client on POST %s when it is JSON-RPC: %s', async (path, body) => {
    fake.node.behave(() => ({ status: 418, body: 'teapot' }));
    const answer = await fake.signer.request({ path, body });
    expect(answer).toMatchObject({ status: 418, text: 'teapot' });
    expect(fake.node.seen).toMatchObject([{ method: 'POST', url: path.replace('//', '/'), body }]);
  });
});

describe('POST /api/v1/eth1/sign', () => {
  it.each([
    ['as web3signer lists it', PUBLIC_KEY],
    ['without 0x', PUBLIC_KEY.slice(2)],
    ['in capitals', `0X${PUBLIC_KEY.slice(2).toUpperCase()}`],
  ])('signs the hash of the data with the public key %s', async (_what, identifier) => {
    const { status, headers, text } = await sign(identifier, '0x3432');
    expect([status, headers['content-type']]).toEqual([200, 'text/plain; charset=utf-8']);
    expect(text).toBe(key.sign(keccak256(toUtf8Bytes('42'))).serialized);
    expect(recoverAddress(keccak256('0x3432'), text).toLowerCase()).toBe(KB_ADDRESS);
    expect(fake.node.seen).toEqual([]);
  });

  it.each([
    ['capitals', '0X0aFF', '0x0aff'],
    ['hex without 0x', '48656c6c6f', '0x48656c6c6f'],
    ['no bytes', '0x', '0x'],
    ['many bytes', `0x${'ab'.repeat(50_000)}`, `0x${'ab'.repeat(50_000)}`],
  ])('takes %s', async (_what, data, meant) => {
    expect((await sign(PUBLIC_KEY, data)).text).toBe(key.sign(keccak256(meant)).serialized);
  });

  it('signs the payload of a transaction, so that a permitted caller can send any transaction', async () => {
    const { to, data, value, gasPrice, gas: gasLimit } = BASE;
    const transaction = Transaction.from({
      type: 0,
      chainId: 1,
      nonce: 1,
      to,
      data,
      value,
      gasPrice,
      gasLimit,
    });
    const { text } = await sign(PUBLIC_KEY, transaction.unsignedSerialized);
    transaction.signature = text;
    expect(transaction.from?.toLowerCase()).toBe(KB_ADDRESS);
  });

  it.each([
    ['another key', NOT_HELD],
    ['no point of the curve', `0x${'22'.repeat(64)}`],
    ['an address', KB_ADDRESS],
    ['half a key', PUBLIC_KEY.slice(0, 66)],
    ['words', 'someone'],
    ['an endless name', 'f'.repeat(1_000)],
    ['a path', `..%2f${PUBLIC_KEY}`],
  ])('knows no key by %s', async (_what, identifier) => {
    const { status, text } = await sign(identifier, '0x3432');
    expect([status, JSON.parse(text)]).toEqual([404, expect.objectContaining({ error: expect.any(String) })]);
    expect(fake.node.seen).toEqual([]);
  });

  it.each([
    ['no JSON', '{"data":'],
    ['nothing', ''],
    ['no object', '["0x3432"]'],
    ['no data', '{"type":"x"}'],
    ['null', '{"data":null}'],
    ['a number', '{"data":42}'],
    ['empty data', '{"data":""}'],
    ['no hex', '{"data":"0xzz"}'],
    ['half a byte', '{"data":"0x123"}'],
    ['a member twice', '{"data":"0x12","data":"0x13"}'],
    ['endless nesting', `{"data":${'['.repeat(100)}`],
  ])('refuses a body of %s', async (_what, body) => {
    const { status, text } = await postTo(PUBLIC_KEY, body);
    expect([status, JSON.parse(text)]).toEqual([400, expect.objectContaining({ error: expect.any(String) })]);
  });

  it('refuses a body beyond the limit', async () => {
    expect((await sign(PUBLIC_KEY, `0x${'ab'.repeat(600_000)}`)).status).toBe(413);
  });

  it('is refused to foreign pages and hosts as JSON-RPC is', async () => {
    const body = '{"data":"0x3432"}';
    expect((await postTo(PUBLIC_KEY, body, { origin: 'http://evil.example' })).status).toBe(403);
    expect((await postTo(PUBLIC_KEY, body, { host: 'evil.example' })).status).toBe(403);
  });

  it('is not a method of JSON-RPC', async () => {
    expect(await fake.signer.call('eth1_sign', [PUBLIC_KEY, '0x3432'])).toMatchObject({
      error: { code: -32601 },
    });
  });

  it('is in the audit log, whatever became of it, and in the metrics', async () => {
    const database = await connectDatabase({ url: fake.signer.databaseUrl });
    const count = async () =>
      Number((await database.pool.query('SELECT count(*) FROM audit_entry')).rows[0].count);
    const before = await count();
    const { text } = await sign(PUBLIC_KEY, '0x3433');
    await sign(NOT_HELD, '0x3434');
    await sign('someone', '0x3435');
    const { rows } = await database.pool.query(
      'SELECT method, key, decision, reason, digest FROM audit_entry ORDER BY sequence OFFSET $1',
      [before],
    );
    await database.close();
    const refused = { method: 'eth1_sign', decision: 'refused', digest: null };
    const reason = 'SIGNING_FROM_IS_NOT_AN_UNLOCKED_ACCOUNT';
    expect(rows).toEqual([
      {
        method: 'eth1_sign',
        key: KB_ADDRESS,
        decision: 'allowed',
        reason: '',
        digest: Buffer.from(keccak256('0x3433').slice(2), 'hex'),
      },
      { ...refused, reason, key: computeAddress(`0x04${NOT_HELD.slice(2)}`).toLowerCase() },
      { ...refused, reason, key: '0xsomeone' },
    ]);
    expect(text).toMatch(/^0x[0-9a-f]{130}$/);
    const metrics = await (await fetch(`${fake.signer.opsUrl}/metrics`)).text();
    expect(metrics).toMatch(/^signer_rpc_calls_total\{method="eth1_sign"\} [1-9]/m);
    expect(metrics).toMatch(/^signer_rpc_calls_total\{method="eth1_publicKeys"\} [1-9]/m);
    expect(metrics).toMatch(/^http_secp256k1_malformed_request_count_total [1-9]/m);
    expect(metrics).toMatch(/^signing_secp256k1_missing_identifier_count_total [1-9]/m);
  });
});
