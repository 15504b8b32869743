import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { RequestListener } from 'node:http';
import { answerVault, startVaultServer, VAULT_TOKEN, type VaultServer } from '@tetrad/testkit';
import { systemClock } from '@tetrad/types';
import { readVaultSecret, type VaultSecret } from '../src/vault/vault-client.js';
import { VaultConnections } from '../src/vault/vault-connections.js';
import { VaultError } from '../src/vault/vault-error.js';
import { VAULT_TLS, vector } from './vault-vectors.js';

let vault: VaultServer;
const connections = new VaultConnections(systemClock);
beforeAll(async () => {
  vault = await startVaultServer();
  vault.secrets.set('keys/one', { value: 'text', number: 5 });
});
afterEach(() => (vault.fault = undefined));
afterAll(async () => {
  connections.close();
  await vault.stop();
});

const secret = (changes: Partial<VaultSecret> = {}): VaultSecret => ({
  host: '127.0.0.1',
  port: vault.port,
  path: '/v1/secret/data/keys/one',
  token: VAULT_TOKEN,
  timeoutMs: 60_000,
  trust: undefined,
  ...changes,
});

const read = (asked: VaultSecret) => readVaultSecret(asked, connections);

async function failure(changes: Partial<VaultSecret> = {}): Promise<VaultError> {
  const error: unknown = await read(secret(changes)).catch((e: unknown) => e);
  expect(error).toBeInstanceOf(VaultError);
  const { message, stack, cause } = error as VaultError;
  expect(`${message} ${stack} ${String(cause)}`).not.toMatch(/test-token|text of the answer/);
  return error as VaultError;
}

describe('a secret of a vault', () => {
  it.each(['/v1/secret/data/keys/one', 'v1/secret/data/keys/one', '//v1/secret/data/keys/one'])(
    'is read with its token from %s',
    async (path) => {
      expect(await read(secret({ path }))).toEqual({ value: 'text', number: 5 });
      const last = vault.requests.at(-1);
      expect(last).toMatchObject({ method: 'GET', path: '/v1/secret/data/keys/one' });
      expect(last?.headers['x-vault-token']).toBe(VAULT_TOKEN);
      expect(last?.headers).not.toHaveProperty('x-vault-namespace');
    },
  );

  it('is not read from an answer that does not end', async () => {
    let sent = 0;
    vault.fault = (_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      const more = (error?: Error | null) => {
        if (error) return;
        sent += 65_536;
        response.write(Buffer.alloc(65_536, 0x20), more);
      };
      more();
    };
    expect((await failure()).message).toContain('RES_EXCEEDED_MAX_SIZE');
    expect(sent).toBeLessThan(64 * 1_048_576);
  });

  it('is read from a namespace', async () => {
    const other = await startVaultServer({ namespace: 'team/a' });
    other.secrets.set('keys/one', { value: 'there' });
    const place = { port: other.port };
    expect(await read(secret({ ...place, namespace: 'team/a' }))).toEqual({ value: 'there' });
    expect((await failure(place)).message).toContain('answered 403');
    await other.stop();
  });

  it.each<[string, Partial<VaultSecret>, string]>([
    [
      'a wrong token',
      { token: 'hvs.test-token-wrong' },
      'answered 403 (the token is not accepted for this path)',
    ],
    ['no such secret', { path: '/v1/secret/data/none' }, 'answered 404 (no such secret)'],
    ['a host with a path', { host: '127.0.0.1/x' }, 'is not a valid host name'],
    ['a host with a user', { host: 'me@127.0.0.1' }, 'is not a valid host name'],
  ])('is refused for good with %s', async (_what, changes, text) => {
    const error = await failure(changes);
    expect(error.message).toContain(text);
    expect(error.isTransient).toBe(false);
  });

  it.each<[string, RequestListener, string, boolean]>([
    [
      'a fault of its own',
      (_q, r) => answerVault(r, 500, { errors: ['text of the answer'] }),
      'answered 500',
      true,
    ],
    [
      'being sealed',
      (_q, r) => answerVault(r, 503, { errors: ['Vault is sealed'] }),
      'answered 503 (sealed',
      true,
    ],
    ['too many requests', (_q, r) => answerVault(r, 429, {}), 'answered 429', true],
    ['silence', () => undefined, 'no answer within 200 ms', true],
    [
      'half an answer',
      (_q, r) => void r.writeHead(200, { 'content-length': '999' }).write('{'),
      'no answer within 200 ms',
      true,
    ],
    ['a connection that it closes', (q) => q.socket.destroy(), 'cannot be reached (UND_ERR_SOCKET)', true],
    ['HTML', (_q, r) => r.end('<html>text of the answer</html>'), 'its answer is not JSON', false],
    [
      'JSON of another kind',
      (_q, r) => answerVault(r, 200, { data: { value: 'text of the answer' } }),
      'is not that of a KV version 2',
      false,
    ],
    [
      'a redirection',
      (_q, r) => r.writeHead(307, { location: 'http://elsewhere/' }).end(),
      'answered 307',
      false,
    ],
    [
      'a flood',
      (_q, r) => void r.end('x'.repeat(2_000_000)),
      'cannot be reached (UND_ERR_RES_EXCEEDED_MAX_SIZE)',
      true,
    ],
  ])('is not read from a vault that answers %s', async (_what, fault, text, isTransient) => {
    vault.fault = fault;
    const error = await failure({ timeoutMs: text.includes('200 ms') ? 200 : 60_000 });
    expect(error.message).toContain(text);
    expect(error.message).toContain(`Vault http://127.0.0.1:${vault.port}/v1/secret/data/keys/one`);
    expect(error.isTransient).toBe(isTransient);
  });

  it('is not read from a closed port', async () => {
    const gone = await startVaultServer();
    await gone.stop();
    const error = await failure({ port: gone.port });
    expect(error.message).toContain('cannot be reached (ECONNREFUSED)');
    expect(error.isTransient).toBe(true);
  });
});

describe('a vault with TLS', () => {
  let secure: VaultServer;
  beforeAll(async () => {
    secure = await startVaultServer({ tls: VAULT_TLS });
    secure.secrets.set('keys/one', { value: 'secure' });
  });
  afterAll(() => secure.stop());

  const trusting = (trust: NonNullable<VaultSecret['trust']>, host = '127.0.0.1') =>
    secret({ host, port: secure.port, trust });
  const password = 'changeit';

  it.each<[string, NonNullable<VaultSecret['trust']>]>([
    ['PEM', { type: 'PEM', file: vector('vault.crt') }],
    ['PKCS12 of OpenSSL', { type: 'PKCS12', file: vector('openssl-aes.p12'), password }],
    ['PKCS12 of OpenSSL in the older way', { type: 'PKCS12', file: vector('openssl-3des.p12'), password }],
    ['PKCS12 of keytool', { type: 'PKCS12', file: vector('keytool.pkcs12'), password }],
    ['JKS of keytool', { type: 'JKS', file: vector('keytool.jks'), password }],
  ])('is trusted by a store in %s', async (_what, trust) => {
    expect(await read(trusting(trust))).toEqual({ value: 'secure' });
  });

  it.each<[string, NonNullable<VaultSecret['trust']>, string]>([
    ['the authorities of Node', { type: 'SYSTEM' }, 'DEPTH_ZERO_SELF_SIGNED_CERT'],
    ['a store of others', { type: 'PEM', file: vector('other.crt') }, 'DEPTH_ZERO_SELF_SIGNED_CERT'],
    [
      'a store that is not there',
      { type: 'PEM', file: '/nowhere.pem' },
      'trust store /nowhere.pem: cannot be read (ENOENT)',
    ],
    ['a store of another kind', { type: 'PEM', file: vector('openssl-aes.p12') }, 'contains no certificate'],
    ['JKS of another kind', { type: 'JKS', file: vector('keytool.pkcs12'), password }, 'is not a JKS file'],
    [
      'JKS with a wrong password',
      { type: 'JKS', file: vector('keytool.jks'), password: 'no' },
      'the password is wrong',
    ],
    [
      'PKCS12 with a wrong password',
      { type: 'PKCS12', file: vector('openssl-aes.p12'), password: 'no' },
      'the password is wrong',
    ],
    [
      'PKCS12 in the oldest way',
      { type: 'PKCS12', file: vector('openssl-rc2.p12'), password },
      'encrypt it again with AES',
    ],
    [
      'an invalid PKCS12 file',
      { type: 'PKCS12', file: vector('vault.crt'), password },
      'is not a PKCS#12 file',
    ],
  ])('is not asked with %s', async (_what, trust, text) => {
    const before = secure.requests.length;
    expect((await failure(trusting(trust))).message).toContain(text);
    expect(secure.requests).toHaveLength(before);
  });

  it('is trusted under the names of its certificate only', async () => {
    const trust = { type: 'PEM', file: vector('vault.crt') } as const;
    expect(await read(trusting(trust, 'localhost'))).toEqual({ value: 'secure' });
    const error = await failure({ host: '127.0.0.2', port: secure.port, trust });
    // On hosts without the second loopback address the connection fails.
    expect(error.message).toMatch(/ERR_TLS_CERT_ALTNAME_INVALID|ECONNREFUSED|EADDRNOTAVAIL|no answer/);
  });
});
