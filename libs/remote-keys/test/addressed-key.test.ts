import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { addressFromPrivateKey, addressFromPublicKey, recoverAddress } from '@tetrad/crypto';
import {
  AddressedKeys,
  RemoteKey,
  RemoteKeyError,
  ServiceGate,
  readRemoteKeyFile,
} from '@tetrad/remote-keys';
import { startGcpKmsServer, until } from '@tetrad/testkit';
import { silentLogger, systemClock } from '@tetrad/types';
import { AddressedKey } from '../src/addressed-key.js';
import { scalarBytes } from '../src/scalar-bytes.js';
import { FaultyService, ManualClock } from './faulty-service.js';

const PRIVATE_KEY = new Uint8Array(32).fill(1);
const DIGEST = new Uint8Array(32).fill(2);
const service = new FaultyService(PRIVATE_KEY);
const ADDRESS = addressFromPublicKey(service.publicKey);
const OTHER = `${'0'.repeat(38)}b0`;

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tetrad-addressed-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const KMS = '[signing]\ntype = "aws-kms-signer"\nkey-id = "alias/desk"\n';

async function fileOf(text: string, name = `${ADDRESS.slice(2)}.toml`): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, text);
  return path;
}

describe('the file of a key that signs elsewhere', () => {
  it('names a key of AWS KMS', async () => {
    expect(await readRemoteKeyFile(await fileOf(KMS))).toMatchObject({
      address: ADDRESS,
      settings: { kind: 'aws-kms', keyId: 'alias/desk', timeoutMs: 10_000 },
    });
  });

  it('names a key of an HSM, with paths from its own folder', async () => {
    const text =
      '[signing]\ntype = "pkcs11-signer"\nlibrary = "/l.so"\ntoken-label = "bank"\npin-file = "pin"\nkey-id = "0a"\n';
    expect(await readRemoteKeyFile(await fileOf(text))).toMatchObject({
      settings: {
        kind: 'pkcs11',
        tokenLabel: 'bank',
        pinFile: join(folder, 'pin'),
        key: { id: '0a' },
        sessions: 8,
      },
    });
  });

  it.each([
    ['its name has no address', KMS, 'desk.toml', /desk\.toml: its name must end with the address/],
    [
      'a setting is missing',
      '[signing]\ntype = "aws-kms-signer"\n',
      undefined,
      /toml: signing\.key-id: is required \(line 1\)/,
    ],
    [
      'its type is another',
      '[signing]\ntype = "raw-signer"\npriv-key = "1234"\n',
      undefined,
      /signing\.type: must be one of aws-kms-signer, azure-signer, gcp-kms-signer, pkcs11-signer \(line 2\)/,
    ],
    [
      'it names no token',
      '[signing]\ntype = "pkcs11-signer"\nlibrary = "/l.so"\nkey-id = "0a"\n',
      undefined,
      /toml: the token needs a label or a slot/,
    ],
    ['it is no TOML', '{', undefined, /toml: is not TOML \(line 1\)/],
    ['it is far too long', '#'.repeat(70_000), undefined, /cannot be read \(it has more than 65536 bytes\)/],
  ])('is refused when %s', async (_what, text, name, problem) => {
    const error = await readRemoteKeyFile(await fileOf(text, name)).catch((caught: unknown) => caught);
    expect(error).toMatchObject({ code: 'UNSUPPORTED', message: expect.stringMatching(problem) });
    expect(String(error)).not.toContain('1234');
  });

  it('is refused when it is not there', async () => {
    const path = join(folder, `${OTHER}.toml`);
    await expect(readRemoteKeyFile(path)).rejects.toThrow(`${path}: cannot be read (ENOENT)`);
  });
});

describe('a key that is known by its address', () => {
  /** Fails as often as there are faults, and gives the key then. */
  async function keyWith(faults: RemoteKeyError[], address = ADDRESS) {
    const clock = new ManualClock();
    const changes: (string | undefined)[] = [];
    let openings = 0;
    const settings = { kind: 'aws-kms', keyId: 'a', timeoutMs: 10_000 } as const;
    const services = {
      async open() {
        openings += 1;
        const fault = faults.shift();
        if (fault !== undefined) throw fault;
        const gate = new ServiceGate('a', { concurrency: 1, maxWaiting: 1 }, clock);
        return RemoteKey.open(new FaultyService(PRIVATE_KEY), { gate, clock, timeoutMs: 10_000 });
      },
    };
    const key = new AddressedKey(
      { path: 'a.toml', address, addressOf: addressFromPublicKey, settings },
      { services, clock, onChange: (now) => changes.push(now?.code) },
    );
    await key.start();
    return { key, clock, changes, openings: () => openings };
  }
  const away = () => new RemoteKeyError('UNREACHABLE', 'the service is away');

  it('signs', async () => {
    const { key } = await keyWith([]);
    expect(recoverAddress(DIGEST, await key.sign(DIGEST))).toBe(ADDRESS);
    expect(key.unavailable).toBeUndefined();
  });

  it('is opened after a pause when its service was away at the start', async () => {
    const { key, clock, changes, openings } = await keyWith([away()]);
    expect(key.unavailable).toEqual({ code: 'UNREACHABLE', reason: 'the service is away' });
    await clock.advance(60_000);
    expect(key.unavailable).toBeUndefined();
    expect([changes, openings()]).toEqual([['UNREACHABLE', undefined], 2]);
  });

  it('is opened by a request before the pause is over, once for all that ask', async () => {
    const { key, clock, openings } = await keyWith([away()]);
    await clock.advance(500);
    await Promise.all([key.sign(DIGEST), key.sign(DIGEST)]);
    expect(openings()).toBe(2);
  });

  it('is not opened by requests in the half second after it could not be, however many there are', async () => {
    const { key, clock, openings } = await keyWith([away()]);
    for (let request = 0; request < 20; request += 1)
      await expect(key.sign(DIGEST)).rejects.toMatchObject({ code: 'UNREACHABLE' });
    await clock.advance(499);
    await expect(key.sign(DIGEST)).rejects.toMatchObject({ code: 'UNREACHABLE' });
    expect(openings()).toBe(1);
  });

  it('gives the fault to a request while its service is away, and says it once', async () => {
    const { key, changes } = await keyWith([away(), away()]);
    await expect(key.sign(DIGEST)).rejects.toMatchObject({ code: 'UNREACHABLE' });
    expect(changes).toEqual(['UNREACHABLE']);
  });

  it('does not sign with the key of another address', async () => {
    const { key } = await keyWith([], `0x${OTHER}` as typeof ADDRESS);
    await expect(key.sign(DIGEST)).rejects.toMatchObject({
      code: 'WRONG_KEY',
      message: `a.toml is named for 0x${OTHER}, and faulty service, key a is the key of ${ADDRESS}`,
    });
  });

  it('is not asked for any more once it is closed', async () => {
    const { key, clock, openings } = await keyWith([away(), away()]);
    key.close();
    await clock.advance(600_000);
    expect(openings()).toBe(1);
  });
});

/** More than may wait for one service. */
const KEYS_OF_A_FOLDER = 1_200;

describe('keys that files name', () => {
  it('are all opened, however many one service has, without using up its places', async () => {
    const kms = await startGcpKmsServer();
    const files = Array.from({ length: KEYS_OF_A_FOLDER }, (_, index) => {
      const privateKey = scalarBytes(BigInt(index + 1));
      const keyVersion = `projects/p/locations/l/keyRings/r/cryptoKeys/k${index}/cryptoKeyVersions/1`;
      kms.addKey(keyVersion, privateKey);
      const settings = { kind: 'gcp-kms', keyVersion, timeoutMs: 60_000 } as const;
      return {
        path: `${index}.toml`,
        address: addressFromPrivateKey(privateKey),
        addressOf: addressFromPublicKey,
        settings: { ...settings, endpoint: kms.url, metadataUrl: kms.url },
      };
    });
    const keys = AddressedKeys.open(files, { clock: systemClock, logger: silentLogger });
    try {
      const last = files[KEYS_OF_A_FOLDER - 1]?.address as typeof ADDRESS;
      const signature = await keys.sign(last, DIGEST);
      expect(signature && recoverAddress(DIGEST, signature)).toBe(last);
      expect(kms.requests.length).toBeLessThan(KEYS_OF_A_FOLDER);
      await until(
        () => kms.requests.filter((line) => line.endsWith('/publicKey')).length >= KEYS_OF_A_FOLDER,
      );
      expect(keys.unavailable()).toEqual([]);
    } finally {
      keys.close();
      await kms.stop();
    }
  });

  it('are listed while their service is away, and a request gets the fault without its words', async () => {
    const file = await readRemoteKeyFile(
      await fileOf(
        '[signing]\ntype = "pkcs11-signer"\nlibrary = "/nowhere.so"\ntoken-label = "bank"\nkey-id = "0a"\n',
      ),
    );
    const keys = AddressedKeys.open([file], { clock: systemClock, logger: silentLogger });
    try {
      expect([keys.list(), keys.has(ADDRESS)]).toEqual([[ADDRESS], true]);
      expect(await keys.sign(`0x${OTHER}` as typeof ADDRESS, DIGEST)).toBeUndefined();
      const error = await keys.sign(ADDRESS, DIGEST).catch((caught: unknown) => caught);
      expect(error).toMatchObject({ code: 'KEY_UNAVAILABLE' });
      expect(String(error)).not.toContain('nowhere');
      expect(keys.unavailable()).toEqual([expect.stringMatching(`^${ADDRESS}: .*nowhere.so is not there`)]);
    } finally {
      keys.close();
    }
  });
});
