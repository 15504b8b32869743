import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { SignJWT, exportJWK, exportSPKI, generateKeyPair, type CryptoKey, type JWTPayload } from 'jose';
import { callerOf, createSharedSecretToken } from '../src/index.js';
import { startTestService, stopTestServices } from './running-service.js';

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'tetrad-jwt-'));
});

afterAll(async () => {
  await stopTestServices();
  rmSync(folder, { recursive: true });
});

async function keyPair(
  algorithm: string,
): Promise<{ privateKey: CryptoKey; file: string; publicKey: CryptoKey }> {
  const { privateKey, publicKey } = await generateKeyPair(algorithm, { extractable: true });
  const file = join(folder, `${Math.random()}.pem`);
  writeFileSync(file, await exportSPKI(publicKey));
  return { privateKey, publicKey, file };
}

function sign(claims: JWTPayload, privateKey: CryptoKey, algorithm = 'ES256', header = {}): Promise<string> {
  return new SignJWT({ exp: Math.floor(Date.now() / 1_000) + 600, sub: 'client-7', ...claims })
    .setProtectedHeader({ alg: algorithm, ...header })
    .sign(privateKey);
}

async function call(url: string, token?: string, scheme = 'Bearer') {
  const headers: Record<string, string> = token === undefined ? {} : { authorization: `${scheme} ${token}` };
  const response = await fetch(url, { method: 'POST', headers });
  return {
    status: response.status,
    challenge: response.headers.get('www-authenticate'),
    body: await response.json(),
  };
}

describe('a token', () => {
  it.each(['RS256', 'ES256', 'EdDSA'])(
    'signed with %s names the caller and its permissions',
    async (algorithm) => {
      const { privateKey, file } = await keyPair(algorithm);
      const { url } = await startTestService(['--auth-jwt-key-file', file]);
      const token = await sign({ permissions: ['eth_*'] }, privateKey, algorithm);
      expect(await call(url, token)).toMatchObject({
        status: 200,
        body: { subject: 'client-7', may: ['eth_call', 'eth_sendTransaction'] },
      });
    },
  );

  it.each<[string, JWTPayload, string[]]>([
    ['a method', { permissions: ['eth_call'] }, ['eth_call']],
    ['everything', { permissions: ['*'] }, ['eth_call', 'eth_sendTransaction', 'debug_dump']],
    ['a scope text', { permissions: 'debug_* eth_call' }, ['eth_call', 'debug_dump']],
    ['nothing, without the claim', {}, []],
    ['nothing, with a claim of another kind', { permissions: { eth_call: true } }, []],
    ['no more than the exact name', { permissions: ['eth', 'eth_cal', 1] }, []],
  ])('can allow %s', async (_, claims, may) => {
    const { privateKey, file } = await keyPair('ES256');
    const { url } = await startTestService(['--auth-jwt-key-file', file]);
    expect((await call(url, await sign(claims, privateKey))).body).toEqual({ subject: 'client-7', may });
  });

  it('is needed: without one, with another scheme or with garbage the answer is 401', async () => {
    const { privateKey, file } = await keyPair('ES256');
    const { url } = await startTestService(['--auth-jwt-key-file', file]);
    expect(await call(url)).toEqual({
      status: 401,
      challenge: 'Bearer',
      body: { error: 'a bearer token is required' },
    });
    expect((await call(url, await sign({}, privateKey), 'Basic')).status).toBe(401);
    expect((await call(url, 'a.b.c')).status).toBe(401);
    expect((await call(url, 'x')).status).toBe(401);
  });

  it('of another key, of no algorithm, out of date or without expiry is refused', async () => {
    const { privateKey, file } = await keyPair('ES256');
    const stranger = await keyPair('ES256');
    const { url } = await startTestService(['--auth-jwt-key-file', file]);
    const unsigned = `${Buffer.from('{"alg":"none"}').toString('base64url')}.${Buffer.from('{"sub":"x","exp":99999999999}').toString('base64url')}.`;
    const tokens = [
      await sign({}, stranger.privateKey),
      await sign({ exp: 1 }, privateKey),
      await sign({ nbf: Math.floor(Date.now() / 1_000) + 600 }, privateKey),
      await new SignJWT({ sub: 'x' }).setProtectedHeader({ alg: 'ES256' }).sign(privateKey),
      unsigned,
    ];
    for (const token of tokens) {
      expect(await call(url, token)).toMatchObject({
        status: 401,
        body: { error: 'the token is not valid' },
      });
    }
  });

  it('made with the public key as a shared secret is refused', async () => {
    const { file } = await keyPair('RS256');
    const { url } = await startTestService(['--auth-jwt-key-file', file]);
    const { readFileSync } = await import('node:fs');
    const forged = await new SignJWT({ sub: 'x', exp: 99_999_999_999 })
      .setProtectedHeader({ alg: 'HS256' })
      .sign(new Uint8Array(readFileSync(file)));
    expect((await call(url, forged)).status).toBe(401);
  });

  it('must name the issuer and audience that are asked for', async () => {
    const { privateKey, file } = await keyPair('ES256');
    const { url } = await startTestService([
      '--auth-jwt-key-file',
      file,
      '--auth-jwt-issuer',
      'bank',
      '--auth-jwt-audience',
      'ledger',
    ]);
    expect((await call(url, await sign({ iss: 'bank', aud: 'ledger' }, privateKey))).status).toBe(200);
    expect((await call(url, await sign({ iss: 'other', aud: 'ledger' }, privateKey))).status).toBe(401);
    expect((await call(url, await sign({ iss: 'bank' }, privateKey))).status).toBe(401);
  });

  it('allows the service to listen off loopback; public routes need none', async () => {
    const { file } = await keyPair('ES256');
    const { url } = await startTestService(['--auth-jwt-key-file', file, '--http-listen-host', '0.0.0.0'], {
      publicRoutes: (app) => app.get('/upcheck', (_request, response) => void response.send("I'm up!")),
      routes: (app) => app.get('/private', (_request, response) => void response.send('private')),
    });
    const reachable = url.replace('0.0.0.0', '127.0.0.1');
    expect(await (await fetch(`${reachable}/upcheck`)).text()).toBe("I'm up!");
    expect((await fetch(`${reachable}/private`)).status).toBe(401);
    expect((await fetch(reachable, { method: 'POST' })).status).toBe(401);
  });
});

describe('a shared secret', () => {
  const secret = new Uint8Array(32).fill(7);
  const sharedSecret = { secret, permissionsClaim: 'Allow' };
  const rpc = {
    paths: ['/'],
    handle: (request: IncomingMessage, response: ServerResponse) => {
      const { subject, may } = callerOf(request);
      const granted = ['read', 'write', 'sign', 'admin'].filter((permission) =>
        may('some_method', permission),
      );
      response.end(JSON.stringify({ subject: subject ?? null, granted, named: may('eth_call', 'admin') }));
    },
  };
  const start = (anonymousPermissions?: readonly string[]) =>
    startTestService([], {
      rpc,
      authentication: {
        sharedSecret,
        ...(anonymousPermissions === undefined ? {} : { anonymousPermissions }),
      },
    });

  it('signs tokens that list permissions and name no caller', async () => {
    const { url } = await start();
    const token = await createSharedSecretToken(sharedSecret, ['read', 'write']);
    const { status, body } = await call(url, token);
    expect([status, body]).toEqual([
      200,
      { subject: expect.stringMatching(/^token:[0-9a-f]{16}$/), granted: ['read', 'write'], named: false },
    ]);
  });

  it('refuses tokens of another secret, out of date, or of another algorithm', async () => {
    const { url } = await start(['read']);
    const hs = (claims: JWTPayload, key = secret, alg = 'HS256') =>
      new SignJWT(claims).setProtectedHeader({ alg }).sign(key);
    const { privateKey } = await keyPair('ES256');
    const tokens = [
      await hs({ Allow: ['admin'] }, new Uint8Array(32)),
      await hs({ Allow: ['admin'], exp: 1 }),
      await hs({ Allow: ['admin'] }, new Uint8Array(64).fill(7), 'HS512'),
      await sign({ Allow: ['admin'] }, privateKey),
      `${(await hs({ Allow: ['admin'] })).slice(0, -2)}`,
      'x',
    ];
    for (const token of tokens) expect((await call(url, token)).status).toBe(401);
    expect((await call(url, await hs({ sub: 'client-7', Allow: ['eth_*', 7] }))).body).toEqual({
      subject: 'client-7',
      granted: [],
      named: true,
    });
  });

  it('gives callers without a token the anonymous access of the service, or none', async () => {
    expect((await call((await start(['read'])).url)).body).toMatchObject({
      subject: null,
      granted: ['read'],
    });
    expect((await call((await start()).url)).status).toBe(401);
  });
});

describe('a JWKS', () => {
  it('is fetched, and keys are found by their id', async () => {
    const [first, second] = [await keyPair('ES256'), await keyPair('EdDSA')];
    const keys = [
      { ...(await exportJWK(first.publicKey)), kid: 'one', alg: 'ES256' },
      { ...(await exportJWK(second.publicKey)), kid: 'two', alg: 'EdDSA' },
    ];
    const issuer = createServer((_request, response) => void response.end(JSON.stringify({ keys })));
    await new Promise<void>((done) => issuer.listen(0, '127.0.0.1', done));
    const jwks = `http://127.0.0.1:${(issuer.address() as AddressInfo).port}/jwks`;
    const { url } = await startTestService(['--auth-jwt-jwks-url', jwks]);
    expect((await call(url, await sign({}, first.privateKey, 'ES256', { kid: 'one' }))).status).toBe(200);
    expect((await call(url, await sign({}, second.privateKey, 'EdDSA', { kid: 'two' }))).status).toBe(200);
    expect((await call(url, await sign({}, first.privateKey, 'ES256', { kid: 'three' }))).status).toBe(401);
    issuer.close();
    issuer.closeAllConnections();
  });

  it('that cannot be fetched is a fault of the service and not of the caller: 503', async () => {
    const { privateKey } = await keyPair('ES256');
    const { url } = await startTestService(['--auth-jwt-jwks-url', 'http://127.0.0.1:1/jwks']);
    expect((await call(url, await sign({}, privateKey))).status).toBe(503);
  });

  it('may also be a file', async () => {
    const { privateKey, publicKey } = await keyPair('ES256');
    const file = join(folder, 'jwks.json');
    writeFileSync(file, JSON.stringify({ keys: [await exportJWK(publicKey)] }));
    const { url } = await startTestService(['--auth-jwt-key-file', file]);
    expect((await call(url, await sign({}, privateKey))).status).toBe(200);
  });
});

describe('a bad configuration', () => {
  it('is refused by the name of its option', async () => {
    const noKey = join(folder, 'no-key');
    writeFileSync(noKey, 'nothing');
    await expect(startTestService(['--auth-jwt-key-file', noKey])).rejects.toThrow(
      /--auth-jwt-key-file: .* no public key/,
    );
    await expect(startTestService(['--auth-jwt-key-file', '/nowhere'])).rejects.toThrow(
      '--auth-jwt-key-file: cannot read',
    );
    await expect(
      startTestService(['--auth-jwt-key-file', noKey, '--auth-jwt-jwks-url', 'https://x.example']),
    ).rejects.toThrow('--auth-jwt-jwks-url: cannot be used together with --auth-jwt-key-file');
  });
});
