import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { addressFromPrivateKey, recoverAddress } from '@tetrad/crypto';
import { GcpKms, RemoteKey, ServiceGate, readRemoteKeyFile } from '@tetrad/remote-keys';
import { freePort, startGcpKmsServer, type GcpKmsServer } from '@tetrad/testkit';
import { systemClock } from '@tetrad/types';

const KEY = new Uint8Array(32).fill(5);
const DIGEST = new Uint8Array(32).fill(2);
const TIMEOUT_MS = 60_000;
const RING = 'projects/bank/locations/europe-west3/keyRings/desks/cryptoKeys';
const VERSION = `${RING}/desk/cryptoKeyVersions/1`;

let server: GcpKmsServer;
let folder: string;
let keys: RemoteKey[];
beforeEach(async () => {
  keys = [];
  server = await startGcpKmsServer();
  server.addKey(VERSION, KEY);
  folder = await mkdtemp(join(tmpdir(), 'tetrad-gcp-'));
});
afterEach(async () => {
  for (const key of keys) key.close();
  await Promise.all([server.stop(), rm(folder, { recursive: true })]);
});

async function keyOf({ credentialsFile }: { credentialsFile?: string } = {}): Promise<RemoteKey> {
  const place = { endpoint: server.url, metadataUrl: server.url, timeoutMs: TIMEOUT_MS };
  const kms = new GcpKms({ ...place, credentialsFile }, systemClock);
  const gate = new ServiceGate(kms.name, { concurrency: 8, maxWaiting: 100 }, systemClock);
  const options = { gate, clock: systemClock, timeoutMs: TIMEOUT_MS };
  const key = await RemoteKey.open(kms.key(VERSION), options);
  keys.push(key);
  return key;
}

const accountFile = async (text = server.accountFile) => {
  const path = join(folder, 'account.json');
  await writeFile(path, text, { mode: 0o600 });
  return path;
};
const count = (pattern: RegExp) => server.requests.filter((line) => pattern.test(line)).length;

async function assertSigns(key: RemoteKey): Promise<void> {
  expect(key.address).toBe(addressFromPrivateKey(KEY));
  expect(recoverAddress(DIGEST, await key.sign(DIGEST))).toBe(key.address);
}

describe('a key in Google Cloud KMS', () => {
  it('signs many digests at once with one token of the host', async () => {
    const key = await keyOf();
    await Promise.all(Array.from({ length: 20 }, () => assertSigns(key)));
    expect([count(/token$/), count(/:asymmetricSign$/)]).toEqual([1, 20]);
  });

  it('is used with the key file of a service account', async () => {
    await assertSigns(await keyOf({ credentialsFile: await accountFile() }));
    expect(count(/^POST \/token$/)).toBe(1);
  });

  it('is asked once more when its token is withdrawn', async () => {
    const key = await keyOf();
    await assertSigns(key);
    server.withdrawTokens();
    await assertSigns(key);
    expect([count(/token$/), count(/:asymmetricSign$/)]).toEqual([2, 3]);
  });

  it.each([
    [403, 'DENIED', 'HTTP 403 PERMISSION_DENIED; cloudkms.cryptoKeyVersions.useToSign is needed'],
    [404, 'MISSING', 'HTTP 404 PERMISSION_DENIED'],
    [500, 'FAILED', 'HTTP 500 PERMISSION_DENIED'],
  ])('that is answered with %d is %s, without the words of the answer', async (status, code, text) => {
    const key = await keyOf();
    const error = { status: 'PERMISSION_DENIED', message: 'not-to-be-shown' };
    server.setFault((line) => (line.endsWith(':asymmetricSign') ? { status, body: { error } } : undefined));
    const failure = await key.sign(DIGEST).catch((one: unknown) => one);
    expect(failure).toMatchObject({ code, message: expect.stringContaining(text) });
    expect(String(failure)).not.toContain('not-to-be-shown');
    expect(count(/:asymmetricSign$/)).toBe(1);
  });

  it('is asked again after it was throttled', async () => {
    const key = await keyOf();
    let throttled = 0;
    server.setFault((line) =>
      line.endsWith(':asymmetricSign') && (throttled += 1) <= 2 ? { status: 429 } : undefined,
    );
    await assertSigns(key);
    expect(count(/:asymmetricSign$/)).toBe(3);
  });

  it('that is replaced by another signs nothing', async () => {
    const key = await keyOf();
    server.addKey(VERSION, new Uint8Array(32).fill(6));
    await expect(key.sign(DIGEST)).rejects.toMatchObject({ code: 'WRONG_KEY' });
  });

  it('of another kind is refused', async () => {
    server.addKey(VERSION, KEY, 'EC_SIGN_P256_SHA256');
    await expect(keyOf()).rejects.toMatchObject({
      code: 'UNSUPPORTED',
      message: expect.stringContaining('is not a key of the kind EC_SIGN_SECP256K1_SHA256'),
    });
  });

  it.each([
    ['is not JSON', 'x', 'UNSUPPORTED', 'is not the key of a service account in JSON'],
    ['is that of a user', '{"type":"authorized_user"}', 'UNSUPPORTED', 'is not the key of a service account'],
  ])('whose credentials file %s is refused', async (_what, text, code, message) => {
    await expect(keyOf({ credentialsFile: await accountFile(text) })).rejects.toMatchObject({
      code,
      message: expect.stringContaining(message),
    });
  });

  it('whose credentials are refused, or whose service is away, says so, and nothing secret', async () => {
    const account = JSON.parse(server.accountFile) as Record<string, string>;
    const other = await accountFile(JSON.stringify({ ...account, client_email: 'other@example' }));
    const failure = await keyOf({ credentialsFile: other }).catch((error: unknown) => error);
    expect(failure).toMatchObject({
      code: 'DENIED',
      message: expect.stringContaining('not accepted (HTTP 400)'),
    });
    expect(String(failure)).not.toContain('PRIVATE KEY');
    await expect(keyOf({ credentialsFile: join(folder, 'none') })).rejects.toMatchObject({ code: 'MISSING' });
    const url = `http://127.0.0.1:${await freePort()}`;
    const away = new GcpKms({ metadataUrl: url, timeoutMs: TIMEOUT_MS }, systemClock).key(VERSION);
    const asked = away.readPublicKey(AbortSignal.timeout(TIMEOUT_MS));
    await expect(asked).rejects.toMatchObject({ code: 'UNREACHABLE' });
  });
});

describe('a file that names a key in Google Cloud KMS', () => {
  const read = async (toml: string) => {
    const path = join(folder, `${addressFromPrivateKey(KEY).slice(2)}.toml`);
    await writeFile(path, toml);
    return readRemoteKeyFile(path);
  };

  it('has the version of the key, and a credentials file beside it', async () => {
    const text = `[signing]\ntype = "gcp-kms-signer"\nkey-version = "${VERSION}"\n`;
    expect((await read(text)).settings).toMatchObject({
      kind: 'gcp-kms',
      keyVersion: VERSION,
      credentialsFile: undefined,
      timeoutMs: 10_000,
    });
    const more = 'credentials-file = "account.json"\nendpoint = "https://kms.example/"\n';
    expect((await read(`${text}${more}`)).settings).toMatchObject({
      credentialsFile: join(folder, 'account.json'),
      endpoint: 'https://kms.example',
    });
  });

  it.each(['projects/bank', `${RING}/desk`, `${RING}/desk/cryptoKeyVersions/1/../2`, `/${VERSION}`])(
    'is refused when the version is %s',
    async (version) => {
      const text = `[signing]\ntype = "gcp-kms-signer"\nkey-version = "${version}"\n`;
      await expect(read(text)).rejects.toThrow('signing.key-version: must be projects/');
    },
  );
});
