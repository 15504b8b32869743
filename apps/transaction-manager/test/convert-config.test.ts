import { mkdtemp, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { loadConfig } from '@tetrad/service';
import { encryptKeyFile, generateKeyPair } from '@tetrad/transaction-manager';
import { managerOptions } from '../src/config.js';
import { convertConfigFile } from '../src/convert-config-command.js';
import { loadKeys } from '../src/load-keys.js';
import { behaviourOf } from '../src/read-settings.js';

const CHEAP = { memory: 64, iterations: 1, parallelism: 4 };
const pairs = [generateKeyPair(), generateKeyPair(), generateKeyPair()] as const;
const [first, second, third] = pairs;

let folder: string;
let made = 0;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tetrad-convert-'));
  await writeFile(join(folder, 'tm.key'), await encryptKeyFile(first.privateKey, 'a "password"', CHEAP));
  await writeFile(join(folder, 'tm.pub'), `${first.publicKey}\n`);
  await writeFile(join(folder, 'passwords'), 'a "password"\n\nother\n');
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64');

const one = { privateKey: base64(second.privateKey) };

/** A configuration with every setting that is read. */
async function fullConfig() {
  const locked = JSON.parse(await encryptKeyFile(third.privateKey, 'other', CHEAP)) as object;
  return {
    useWhiteList: 'true',
    disablePeerDiscovery: true,
    jdbc: { url: 'jdbc:postgresql://db.example/tessera', username: 'tessera', password: 'secret' },
    serverConfigs: [
      { app: 'Q2T', enabled: true, serverAddress: 'unix:/run/tm.ipc', communicationType: 'REST' },
      {
        app: 'P2P',
        serverAddress: 'https://tm.example:9001',
        bindingAddress: 'https://0.0.0.0:9002',
        sslConfig: {
          tls: 'STRICT',
          serverTlsCertificatePath: 'cert.pem',
          serverTlsKeyPath: 'key.pem',
          serverTrustStore: 'trust.jks',
        },
      },
      { app: 'ThirdParty', serverAddress: 'http://localhost:9081', cors: { allowedOrigins: ['*'] } },
      { app: 'ADMIN', serverAddress: 'http://localhost:9082' },
    ],
    peer: [{ url: 'https://other.example:9001/' }],
    keys: {
      passwordFile: 'passwords',
      keyData: [
        { privateKeyPath: 'tm.key', publicKeyPath: 'tm.pub' },
        { privateKey: base64(second.privateKey), publicKey: second.publicKey },
        { config: locked, publicKey: third.publicKey },
      ],
    },
    alwaysSendTo: [first.publicKey],
    features: { enablePrivacyEnhancements: 'true', enableMultiplePrivateStates: true },
    residentGroups: [
      { name: 'legacy', description: 'all', members: pairs.map(({ publicKey }) => publicKey) },
    ],
    encryptor: { type: 'NACL' },
    bootstrapNode: true,
  };
}

async function convert(config: unknown, more: { dryRun?: boolean; out?: string } = {}) {
  const from = join(folder, 'config.json');
  await writeFile(from, typeof config === 'string' ? config : JSON.stringify(config));
  const out = more.out ?? join(folder, `out-${(made += 1)}`);
  const table = await convertConfigFile({ from, out, workingDir: undefined, dryRun: more.dryRun ?? false });
  return { out, table };
}

/** Loads what was written, as `serve` does in that folder. */
function load(out: string) {
  const before = process.cwd();
  process.chdir(out);
  try {
    return loadConfig({
      service: 'transaction-manager',
      options: managerOptions,
      commandLine: { wants: 'run', values: new Map(), configFile: 'manager.toml' },
      environment: {},
    } as never);
  } finally {
    process.chdir(before);
  }
}

describe('the configuration of a Tessera', () => {
  it('becomes one of ours, with its keys and what became of each setting', async () => {
    const { out, table } = await convert(await fullConfig());
    const config = load(out) as never as Parameters<typeof behaviourOf>[0];
    expect(config).toMatchObject({
      peerWhitelist: true,
      peerDiscovery: false,
      clientSocket: '/run/tm.ipc',
      peerListenHost: '0.0.0.0',
      peerListenPort: 9002,
      thirdPartyListenPort: 9081,
      // Of its own for each manager on a host.
      opsListenPort: 10_002,
      httpListenPort: 0,
      privacyEnhancements: true,
      proveKeys: true,
    });
    expect((await loadKeys(config)).map(({ publicKey }) => publicKey)).toEqual(
      pairs.map(({ publicKey }) => publicKey),
    );
    const { url, peers, alwaysSendTo, residentGroups } = behaviourOf(config);
    expect([url, peers, alwaysSendTo]).toEqual([
      'https://tm.example:9001/',
      ['https://other.example:9001/'],
      [first.publicKey],
    ]);
    expect(residentGroups).toHaveLength(1);
    expect(table).toMatch(/^peer +taken +peers = \["https:\/\/other\.example:9001\/"\]$/m);
    expect(table).toMatch(/^serverConfigs\.1 \(P2P\) sslConfig +changed +peer-tls-ca-file = "peer-ca\.pem"/m);
    expect(table).toMatch(/^jdbc +changed +data-dir = .*import --from-database-url/m);
    expect(table).toMatch(/^bootstrapNode +ignored /m);
    expect(table).toMatch(/^serverConfigs\.3 \(ADMIN\) +ignored /m);
    expect(table).not.toContain('other\n');
    for (const secret of ['manager-password', 'key1.key', 'key2.key'])
      expect((await stat(join(out, secret))).mode & 0o777).toBe(0o600);
    expect(await readFile(join(out, 'manager-password'), 'utf8')).toBe('a "password"\n\nother\n');
  });

  it('of an older version is read', async () => {
    const older = {
      server: { hostName: 'http://localhost', port: 9001, sslConfig: { tls: 'OFF' } },
      unixSocketFile: '/tmp/tm.ipc',
      keys: { passwords: [], keyData: [{ privateKey: base64(second.privateKey) }] },
    };
    const { out } = await convert(older);
    expect(load(out)).toMatchObject({ clientSocket: '/tmp/tm.ipc', peerListenPort: 9001 });
  });

  it('of version 0.9 has the socket file of the node, by the type of its own sample', async () => {
    const serverSocket = { type: 'UNIX', path: '/tmp/tm.ipc' };
    const inet = { type: 'INET', port: '9001', hostName: 'http://localhost' };
    const { out } = await convert({
      serverConfigs: [
        { app: 'Q2T', enabled: true, serverSocket, communicationType: 'UNIX_SOCKET' },
        { app: 'P2P', enabled: true, serverSocket: inet, communicationType: 'REST' },
      ],
      keys: { passwords: [], keyData: [one] },
    });
    expect(load(out)).toMatchObject({ clientSocket: '/tmp/tm.ipc', peerListenPort: 9001 });
  });

  it('has a line for every setting, unknown and repeated ones at any depth too', async () => {
    const ssl = {
      tls: 'STRICT',
      serverKeyStorePassword: 'quiet',
      serverTrustCertificates: ['a.pem', 'b.pem'],
    };
    const text = JSON.stringify({
      mode: 'tessera',
      jdbc: { url: 'jdbc:h2:x', username: 'sa', password: 'quiet', autoCreateTables: true },
      serverConfigs: [
        { app: 'Q2T', serverAddress: 'http://localhost:9101', sslConfig: { tls: 'STRICT' }, timeout: 1 },
        { app: 'P2P', serverAddress: 'https://tm:9001', sslConfig: ssl, properties: { a: 1 } },
      ],
      peer: [{ url: 'http://first:9001', weight: 1 }],
      keys: { passwords: [], keyData: [one], azureKeyVaultConfig: {} },
      alwaysSendTo: [],
      features: { enableMultiplePrivateStates: false, other: true },
      encryptor: { type: 'NACL', properties: {} },
    })
      .replace('"url":"http://first:9001"', '"url":"http://first:9001","u\\u0072l":"http://second:9001"')
      .replace('"keyData":', '"keyData":[],"keyData":');
    const { table } = await convert(text);
    for (const line of [
      /^mode +taken /m,
      /^jdbc\.password +ignored /m,
      /^jdbc\.autoCreateTables +ignored /m,
      /^serverConfigs\.0 \(Q2T\) sslConfig +ignored +only the peer port has TLS/m,
      /^serverConfigs\.0\.timeout +ignored /m,
      /^serverConfigs\.1 \(P2P\) sslConfig +taken +peer-tls-ca-file = "a\.pem"/m,
      /^serverConfigs\.1 \(P2P\) sslConfig\.serverTrustCertificates +ignored .*b\.pem/m,
      /^serverConfigs\.1\.sslConfig\.serverKeyStorePassword +ignored /m,
      /^serverConfigs\.1\.properties +ignored /m,
      /^peer +taken +peers = \["http:\/\/second:9001"\]/m,
      /^peer\.0\.weight +ignored /m,
      /^peer\.0\.url +ignored +is given more than once/m,
      /^keys\.keyData +ignored +is given more than once/m,
      /^keys\.passwords +taken /m,
      /^keys\.azureKeyVaultConfig +ignored /m,
      /^alwaysSendTo +taken +always-send-to = \[\]/m,
      /^features\.enableMultiplePrivateStates +taken /m,
      /^features\.other +ignored /m,
      /^encryptor +taken /m,
      /^encryptor\.properties +ignored /m,
    ])
      expect(table).toMatch(line);
    expect(table).not.toContain('quiet');
  });

  it('is only shown on request, and an existing folder stays as it is', async () => {
    const { out } = await convert(await fullConfig(), { dryRun: true });
    await expect(readdir(out)).rejects.toThrow('ENOENT');
    const { out: written } = await convert(await fullConfig());
    await expect(convert(await fullConfig(), { out: written })).rejects.toThrow('is there already');
    expect((await readdir(folder)).filter((name) => name.startsWith('.'))).toEqual([]);
  });

  it.each<[string, unknown]>([
    ['no Q2T server, so that no node could use this manager', { keys: { keyData: [one] } }],
    [
      'no Q2T server, so that no node could use this manager; serverConfigs.0 (Q2T) there is no GRPC',
      {
        keys: { keyData: [one] },
        serverConfigs: [{ app: 'Q2T', serverAddress: 'http://localhost:1', communicationType: 'GRPC' }],
      },
    ],
    [
      'serverConfigs.1 (Q2T): serverConfigs.0 (Q2T) is one already',
      {
        keys: { keyData: [one] },
        serverConfigs: [1, 2].map((port) => ({ app: 'Q2T', serverAddress: `http://localhost:${port}` })),
      },
    ],
    ['is not JSON', '{'],
    ['keys: Invalid input', {}],
    ['keys.keyData: Too small', { keys: { keyData: [] } }],
    ['keys.keyData.0: has no private key, and no vault', { keys: { keyData: [{ gcpSecretId: 'a' }] } }],
    [
      'keys.keyData.0: keys.keyVaultConfigs has no vault of type AZURE',
      { keys: { keyData: [{ azureVaultPrivateKeyId: 'a' }] } },
    ],
    ['keys.keyData.0: bytes has 3 bytes, not 32', { keys: { keyData: [{ privateKey: 'AAAA' }] } }],
    ['keys.keyData.0: the public key is', { keys: { keyData: [{ ...one, publicKey: first.publicKey }] } }],
    [
      'keys.keyData.0: the password is wrong',
      { keys: { passwords: ['no'], keyData: [{ privateKeyPath: 'tm.key' }] } },
    ],
    [
      'keys.keyData.0: the key is encrypted and has no password',
      { keys: { keyData: [{ privateKeyPath: 'tm.key' }] } },
    ],
    ['keys.keyData.0.privateKeyPath: cannot read', { keys: { keyData: [{ privateKeyPath: 'no.key' }] } }],
    ['keys: 2 passwords for 1 keys', { keys: { passwords: ['a', 'b'], keyData: [one] } }],
    ['encryptor.type: EC', { keys: { keyData: [one] }, encryptor: { type: 'EC' } }],
    ['mode: orion', { keys: { keyData: [one] }, mode: 'orion' }],
    [
      'serverConfigs.0 (ENCLAVE): there are no remote',
      { keys: { keyData: [one] }, serverConfigs: [{ app: 'ENCLAVE' }] },
    ],
    [
      'is not an address',
      { keys: { keyData: [one] }, serverConfigs: [{ app: 'P2P', serverAddress: 'host' }] },
    ],
    [
      'a socket file is for Q2T only',
      { keys: { keyData: [one] }, serverConfigs: [{ app: 'P2P', serverAddress: 'unix:/a' }] },
    ],
    ['peer: ftp://a is not', { keys: { keyData: [one] }, peer: [{ url: 'ftp://a' }] }],
    ['is not a public key', { keys: { keyData: [one] }, alwaysSendTo: ['key.pub'] }],
  ])('is refused, and nothing is written: %s', async (text, config) => {
    const before = await readdir(folder);
    await expect(convert(config)).rejects.toThrow(text);
    expect(new Set(await readdir(folder))).toEqual(new Set([...before, 'config.json']));
  });
});
