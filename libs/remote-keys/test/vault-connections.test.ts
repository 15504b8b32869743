import { readFileSync } from 'node:fs';
import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { VAULT_TOKEN, startVaultServer, type VaultServer } from '@tetrad/testkit';
import { SecretServices, readSecretFile } from '@tetrad/remote-keys/secrets';
import { systemClock } from '@tetrad/types';
import { readVaultSecret, type VaultSecret } from '../src/vault/vault-client.js';
import { VaultConnections } from '../src/vault/vault-connections.js';
import { VAULT_TLS, vector } from './vault-vectors.js';

let folder: string;
let vault: VaultServer;
let connections: VaultConnections;
let now: number;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tetrad-vault-connections-'));
  // Only who shows the certificate of the client gets as far as a request.
  const tls = { ...VAULT_TLS, requestCert: true, rejectUnauthorized: true };
  vault = await startVaultServer({ tls: { ...tls, ca: readFileSync(vector('client.crt')) } });
  vault.secrets.set('one', { value: 'over mutual TLS' });
});
beforeEach(() => {
  now = 0;
  connections = new VaultConnections({ now: () => now });
  vault.requests.length = 0;
});
afterEach(() => connections.close());
afterAll(() => Promise.all([vault.stop(), rm(folder, { recursive: true, force: true })]));

const shown = (name: string) => ({ certFile: vector(`${name}.crt`), keyFile: vector(`${name}.key`) });
const read = (certificate: VaultSecret['certificate']) =>
  readVaultSecret(
    {
      host: '127.0.0.1',
      port: vault.port,
      path: '/v1/secret/data/one',
      token: VAULT_TOKEN,
      timeoutMs: 60_000,
      trust: { type: 'PEM', file: vector('vault.crt') },
      certificate,
    },
    connections,
  );

describe('a vault that asks for a certificate of its clients', () => {
  it('gives a secret to the one that it knows', async () => {
    expect(await read(shown('client'))).toEqual({ value: 'over mutual TLS' });
  });

  it.each([
    ['none', undefined, /cannot be reached \([A-Z0-9_]+\)/],
    ['that of a stranger', shown('stranger'), /cannot be reached \([A-Z0-9_]+\)/],
    [
      'one with the key of another',
      { certFile: vector('client.crt'), keyFile: vector('stranger.key') },
      /client.crt, .*stranger.key: are no certificate and its key/,
    ],
    [
      'one that is not there',
      { certFile: vector('client.crt'), keyFile: '/nowhere.key' },
      /: \/nowhere.key: cannot be read \(ENOENT\)/,
    ],
  ])('takes no request of who shows %s', async (_what, certificate, text) => {
    await expect(read(certificate)).rejects.toThrow(text);
    expect(vault.requests).toEqual([]);
  });

  it.each([
    ['client', 'over mutual TLS'],
    ['stranger', undefined],
  ])('is read by a file of a secret that names the certificate of a %s', async (name, text) => {
    const file = join(folder, `${name}.toml`);
    await writeFile(join(folder, 'token'), VAULT_TOKEN);
    await writeFile(
      file,
      `[secret]\ntype = "vault-secret"\nurl = "https://127.0.0.1:${vault.port}"\nname = "one"\nauth-method = "token"\ntoken-file = "token"\n` +
        `trust-store = "${vector('vault.crt')}"\nclient-cert-file = "${vector(`${name}.crt`)}"\nclient-key-file = "${vector(`${name}.key`)}"\n`,
    );
    const services = new SecretServices(systemClock);
    const { secret } = await readSecretFile(file, {});
    const outcome = await services.read(secret).catch((error: Error) => error.message);
    services.close();
    if (text === undefined) expect(outcome).toContain('cannot be reached');
    else expect(outcome).toBe(text);
  });
});

describe('connections to a vault', () => {
  it('are used again by calls that follow one another', async () => {
    for (let calls = 0; calls < 20; calls += 1) await read(shown('client'));
    // A call may begin before the connection of the one before it is free again.
    expect(new Set(vault.requests.map(({ port }) => port)).size).toBeLessThanOrEqual(2);
    expect(vault.requests).toHaveLength(20);
  });

  it('are made anew with what the files hold after a while', async () => {
    const certificate = { certFile: join(folder, 'shown.crt'), keyFile: join(folder, 'shown.key') };
    const write = async (name: string) => {
      await copyFile(vector(`${name}.crt`), certificate.certFile);
      await copyFile(vector(`${name}.key`), certificate.keyFile);
    };
    await write('stranger');
    await expect(read(certificate)).rejects.toThrow('cannot be reached');
    await write('client');
    now += 10_000;
    expect(await read(certificate)).toEqual({ value: 'over mutual TLS' });
    await write('stranger');
    now += 10_000;
    await expect(read(certificate)).rejects.toThrow('cannot be reached');
  });

  it('let calls under way end when they are closed', async () => {
    const reading = read(shown('client'));
    connections.close();
    expect(await reading).toEqual({ value: 'over mutual TLS' });
  });
});
