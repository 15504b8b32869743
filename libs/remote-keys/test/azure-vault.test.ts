import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { addressFromPrivateKey, recoverAddress } from '@tetrad/crypto';
import {
  AzureVault,
  RemoteKey,
  ServiceGate,
  readRemoteKeyFile,
  type AzureCredentials,
} from '@tetrad/remote-keys';
import { startAzureVaultServer, type AzureVaultServer } from '@tetrad/testkit';
import { systemClock } from '@tetrad/types';

const KEY = new Uint8Array(32).fill(5);
const NEXT_KEY = new Uint8Array(32).fill(6);
const DIGEST = new Uint8Array(32).fill(2);
const TIMEOUT_MS = 60_000;

let server: AzureVaultServer;
let keys: RemoteKey[];
beforeEach(async () => {
  keys = [];
  server = await startAzureVaultServer();
  server.addVersion('desk', KEY);
});
afterEach(async () => {
  for (const key of keys) key.close();
  await server.stop();
});

const bySecret = (): AzureCredentials => ({
  mode: 'client-secret',
  tenantId: 'bank',
  clientId: 'signer',
  clientSecret: server.clientSecret,
});

async function keyOf({
  credentials = bySecret(),
  name = 'desk',
  version,
  timeoutMs = TIMEOUT_MS,
  url = server.url,
}: {
  credentials?: AzureCredentials;
  name?: string;
  version?: string;
  timeoutMs?: number;
  url?: string;
} = {}): Promise<RemoteKey> {
  const vault = new AzureVault({ vaultUrl: url, authorityUrl: url, credentials, timeoutMs }, systemClock);
  const gate = new ServiceGate(vault.name, { concurrency: 8, maxWaiting: 100 }, systemClock);
  const key = await RemoteKey.open(vault.key(name, version), { gate, clock: systemClock, timeoutMs });
  keys.push(key);
  return key;
}

const count = (pattern: RegExp) => server.requests.filter((line) => pattern.test(line)).length;

async function assertSigns(key: RemoteKey, privateKey = KEY): Promise<void> {
  expect(key.address).toBe(addressFromPrivateKey(privateKey));
  expect(recoverAddress(DIGEST, await key.sign(DIGEST))).toBe(key.address);
}

describe('a key in Azure Key Vault', () => {
  it('signs many digests at once with one token', async () => {
    const key = await keyOf();
    await Promise.all(Array.from({ length: 20 }, () => assertSigns(key)));
    expect([count(/token$/), count(/sign$/)]).toEqual([1, 20]);
  });

  it('is used with a managed identity, and with the token of a workload, which is read each time', async () => {
    await assertSigns(await keyOf({ credentials: { mode: 'managed-identity', clientId: 'signer' } }));
    const folder = await mkdtemp(join(tmpdir(), 'tetrad-azure-'));
    try {
      const tokenFile = join(folder, 'token');
      const workload = {
        mode: 'workload-identity',
        tenantId: 'bank',
        clientId: 'signer',
        tokenFile,
      } as const;
      await expect(keyOf({ credentials: workload })).rejects.toMatchObject({ code: 'MISSING' });
      await writeFile(tokenFile, 'old');
      await expect(keyOf({ credentials: workload })).rejects.toMatchObject({ code: 'DENIED' });
      await writeFile(tokenFile, `${server.clientSecret}\n`);
      await assertSigns(await keyOf({ credentials: workload }));
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });

  it('is used with a client secret in a file, which is read with each token', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'tetrad-azure-'));
    try {
      const clientSecretFile = join(folder, 'secret');
      const credentials = { mode: 'client-secret-file', tenantId: 'bank', clientId: 'signer' } as const;
      const open = () => keyOf({ credentials: { ...credentials, clientSecretFile } });
      await expect(open()).rejects.toMatchObject({ code: 'MISSING' });
      await writeFile(clientSecretFile, `${server.clientSecret}\n`);
      const key = await open();
      await writeFile(clientSecretFile, 'expired');
      await assertSigns(key);
      server.withdrawTokens();
      await expect(key.sign(DIGEST)).rejects.toMatchObject({ code: 'DENIED' });
      await writeFile(clientSecretFile, server.clientSecret);
      await assertSigns(key);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });

  it('goes on signing with its version when it is rotated, and has the next one when it is opened again', async () => {
    const key = await keyOf();
    server.addVersion('desk', NEXT_KEY);
    await assertSigns(key);
    await key.check();
    await assertSigns(await keyOf(), NEXT_KEY);
    await assertSigns(await keyOf({ version: '1' }));
  });

  it('signs with a new token when its own is withdrawn', async () => {
    const key = await keyOf();
    server.withdrawTokens();
    await assertSigns(key);
    expect([count(/token$/), count(/sign$/)]).toEqual([2, 2]);
  });

  it('is asked again after HTTP 429', async () => {
    const key = await keyOf();
    let left = 2;
    server.setFault((line) => (line.endsWith('sign') && left-- > 0 ? { status: 429 } : undefined));
    await assertSigns(key);
    expect(count(/sign$/)).toBe(3);
  });

  it.each([
    [403, 'Forbidden', 'DENIED', /key desk: HTTP 403 Forbidden; keys\/sign is needed$/],
    [404, 'KeyNotFound', 'MISSING', /HTTP 404 KeyNotFound$/],
    [500, 'InternalServerError', 'FAILED', /HTTP 500 InternalServerError$/],
    [400, 'BadParameter', 'UNSUPPORTED', /HTTP 400 BadParameter$/],
  ])('is not asked again after HTTP %i, and says what is wrong', async (status, word, code, text) => {
    const key = await keyOf();
    const body = { error: { code: word, message: `appid ${server.clientSecret}` } };
    server.setFault((line) => (line.endsWith('sign') ? { status, body } : undefined));
    const error = await key.sign(DIGEST).catch((caught: unknown) => caught);
    expect(error).toMatchObject({ code, message: expect.stringMatching(text) });
    expect(String(error)).not.toContain(server.clientSecret);
    expect(count(/sign$/)).toBe(1);
  });

  it.each([
    ['no signature', { value: 'AAAA' }, 'WRONG_KEY'],
    ['another answer', { kid: 'a' }, 'WRONG_KEY'],
    ['a longer answer than any', { value: 'A'.repeat(100_000) }, 'FAILED'],
  ])('is not used with %s', async (_what, body, code) => {
    const key = await keyOf();
    server.setFault((line) => (line.endsWith('sign') ? { status: 200, body } : undefined));
    await expect(key.sign(DIGEST)).rejects.toMatchObject({ code });
  });

  it('gives no signature after its time limit', async () => {
    const key = await keyOf({ timeoutMs: 2_000 });
    server.setFault((line) => (line.endsWith('sign') ? 'hang' : undefined));
    await expect(key.sign(DIGEST)).rejects.toMatchObject({ code: 'TIMED_OUT' });
  });

  it('is refused when its curve is another', async () => {
    const body = { key: { kid: 'a', kty: 'EC', crv: 'P-256', x: 'AA', y: 'AA' } };
    server.setFault((line) => (line.startsWith('GET /keys') ? { status: 200, body } : undefined));
    await expect(keyOf()).rejects.toMatchObject({ code: 'UNSUPPORTED' });
  });

  it('is not there while the credentials are not accepted, which are not shown', async () => {
    const credentials = { ...bySecret(), clientSecret: 'another-secret' } as AzureCredentials;
    const error = await keyOf({ credentials }).catch((caught: unknown) => caught);
    expect(error).toMatchObject({
      code: 'DENIED',
      message: 'Azure credentials (client-secret): not accepted (HTTP 401)',
    });
  });

  it('is asked until the deadline when its vault cannot be reached', async () => {
    await server.stop();
    await expect(keyOf({ timeoutMs: 500 })).rejects.toMatchObject({
      code: 'TIMED_OUT',
    });
  });
});

describe('the file of a key in Azure Key Vault', () => {
  const read = async (...lines: string[]) => {
    const folder = await mkdtemp(join(tmpdir(), 'tetrad-azure-'));
    try {
      const path = join(folder, `${addressFromPrivateKey(KEY).slice(2)}.toml`);
      await writeFile(path, ['[signing]', 'type = "azure-signer"', ...lines].join('\n'));
      return await readRemoteKeyFile(path);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  };

  it('is that of EthSigner', async () => {
    const { settings } = await read(
      'key-vault-name = "Bank"',
      'key-name = "desk"',
      'key-version = "7c01"',
      'client-id = "signer"',
      'client-secret = "s"',
      'tenant-id = "bank"',
    );
    expect(settings).toMatchObject({
      kind: 'azure-key',
      vaultUrl: 'https://bank.vault.azure.net',
      keyName: 'desk',
      keyVersion: '7c01',
      credentials: { mode: 'client-secret', tenantId: 'bank', clientId: 'signer', clientSecret: 's' },
    });
  });

  it('may name the file of its client secret', async () => {
    const { settings } = await read(
      'key-vault-name = "bank"',
      'key-name = "desk"',
      'client-id = "signer"',
      'client-secret-file = "secret"',
      'tenant-id = "bank"',
    );
    expect(settings).toMatchObject({
      credentials: { mode: 'client-secret-file', clientSecretFile: expect.stringMatching(/^\/.*\/secret$/) },
    });
  });

  const CLIENT = [
    'key-vault-name = "bank"',
    'key-name = "desk"',
    'client-id = "signer"',
    'tenant-id = "bank"',
  ];

  it.each([
    [CLIENT, /client-secret-file: or client-secret is required with authentication client-secret/],
    [
      [...CLIENT, 'client-secret = "s"', 'client-secret-file = "secret"'],
      /client-secret-file: cannot be given beside client-secret/,
    ],
    [['key-name = "desk"'], /signing\.key-vault-name: is required/],
    [['key-vault-name = "bank"', 'key-name = "a/b"'], /signing\.key-name: must be letters/],
    [
      ['key-vault-name = "bank"', 'key-name = "desk"'],
      /client-id: is required with authentication client-secret/,
    ],
    [
      [
        'key-vault-name = "bank"',
        'key-name = "desk"',
        'authentication = "workload-identity"',
        'client-id = "a"',
      ],
      /tenant-id: is required with authentication workload-identity/,
    ],
  ])('with %j is refused', async (lines, problem) => {
    await expect(read(...lines)).rejects.toThrow(problem);
  });
});

describe('the list of a vault', () => {
  const listAt = (tags: Readonly<Record<string, string>> = {}) => {
    const settings = { vaultUrl: server.url, authorityUrl: server.url, credentials: bySecret() };
    const vault = new AzureVault({ ...settings, timeoutMs: TIMEOUT_MS }, systemClock);
    return vault.list(tags, AbortSignal.timeout(TIMEOUT_MS));
  };
  beforeEach(() => {
    for (const name of ['a', 'b', 'off', 'c']) server.addVersion(name, KEY);
    server.describe('off', { enabled: false, tags: { env: 'prod' } });
    server.describe('b', { tags: { env: 'prod', desk: '1' } });
    server.describe('c', { tags: { env: 'test', desk: '1' } });
  });

  it('has the enabled keys of all pages', async () => {
    expect(await listAt()).toEqual(['desk', 'a', 'b', 'c']);
    expect(count(/^GET \/keys$/)).toBe(3);
  });

  it('has those with all of the tags', async () => {
    expect(await listAt({ desk: '1' })).toEqual(['b', 'c']);
    expect(await listAt({ desk: '1', env: 'prod' })).toEqual(['b']);
    expect(await listAt({ desk: '2' })).toEqual([]);
  });

  it('is not followed to another host, which would get the token', async () => {
    server.setFault((line) =>
      line === 'GET /keys'
        ? { status: 200, body: { value: [], nextLink: 'http://127.0.0.1:9/keys?$skiptoken=1' } }
        : undefined,
    );
    await expect(listAt()).rejects.toMatchObject({
      code: 'FAILED',
      message: expect.stringContaining('its list goes on at another place'),
    });
  });

  it('that never ends is given up', async () => {
    server.setFault((line) =>
      line === 'GET /keys'
        ? { status: 200, body: { value: [], nextLink: `${server.url}/keys?$skiptoken=1` } }
        : undefined,
    );
    await expect(listAt()).rejects.toThrow('has more than 10000 keys');
  });

  it.each([
    [403, 'DENIED', 'keys/list is needed'],
    [429, 'THROTTLED', 'HTTP 429'],
    [200, 'FAILED', 'the answer is no list of keys'],
  ])('that is answered with %d is %s', async (status, code, message) => {
    server.setFault((line) => (line === 'GET /keys' ? { status, body: { value: 'x' } } : undefined));
    await expect(listAt()).rejects.toMatchObject({ code, message: expect.stringContaining(message) });
  });
});

describe('a secret of a vault', () => {
  const read = (name = 'desk') => {
    const settings = { vaultUrl: server.url, authorityUrl: server.url, credentials: bySecret() };
    const vault = new AzureVault({ ...settings, timeoutMs: TIMEOUT_MS }, systemClock);
    return vault.readSecret(name, AbortSignal.timeout(TIMEOUT_MS));
  };

  it('is its current value', async () => {
    server.secrets.set('desk', 'text');
    expect(await read()).toBe('text');
  });

  it.each([
    [403, 'DENIED', 'secrets/get is needed'],
    [404, 'MISSING', 'HTTP 404'],
    [429, 'THROTTLED', 'HTTP 429'],
    [200, 'FAILED', 'the answer has no secret'],
  ])('that is answered with %d is %s', async (status, code, message) => {
    server.setFault((line) => (line === 'GET /secrets/desk' ? { status, body: { other: 'x' } } : undefined));
    await expect(read()).rejects.toMatchObject({ code, message: expect.stringContaining(message) });
  });
});
