import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createTestDatabase, freePort, type TestDatabase } from '@tetrad/testkit';
import { SignJWT, exportSPKI, generateKeyPair } from 'jose';
import { obliging, startFakeNode, type FakeNode } from '../fake-node.js';
import { launchSigner, startSigner, writeKeyFlags, type RunningSigner } from '../running-signer.js';

const NET_VERSION = '{"jsonrpc":"2.0","id":1,"method":"net_version"}';

let node: FakeNode;
let folder: string;
let keyFlags: string[];
let signer: RunningSigner | undefined;
const databases: TestDatabase[] = [];
beforeAll(async () => {
  node = await startFakeNode();
  folder = await mkdtemp(join(tmpdir(), 'tetrad-access-'));
  keyFlags = await writeKeyFlags(folder);
});
afterAll(async () => {
  await node.stop();
  await rm(folder, { recursive: true });
});
beforeEach(() => node.behave(obliging));
afterEach(async () => {
  await signer?.stop();
  signer = undefined;
  for (const one of databases.splice(0)) await one.drop();
});

async function database(): Promise<TestDatabase> {
  const created = await createTestDatabase('signer');
  databases.push(created);
  return created;
}

const start = async (...flags: string[]) =>
  (signer = await startSigner({ downstreamPort: node.port, flags }));
const required = () => ['--chain-id', '9', '--downstream-http-port', String(node.port), ...keyFlags];

describe('pages of other origins', () => {
  it('are rejected by default, before anything reaches the client', async () => {
    const { post, request } = await start();
    const answer = await post(NET_VERSION, { origin: 'http://evil.example' });
    expect(answer).toMatchObject({ status: 403, statusText: 'CORS Rejected - Invalid origin', text: '' });
    expect((await request({ method: 'OPTIONS', headers: { origin: 'x' } })).status).toBe(403);
    expect(node.seen).toEqual([]);
  });

  // SP-13
  it('may call when they are named, and the client does not learn the origin', async () => {
    const { post, request } = await start('--http-cors-origins', 'sample.com');
    node.behave(() => ({ body: '{}', headers: { 'Access-Control-Allow-Origin': 'elsewhere' } }));
    const answer = await post(NET_VERSION, { origin: 'sample.com' });
    expect(answer.headers['access-control-allow-origin']).toBe('sample.com');
    expect(node.seen[0]?.headers.origin).toBeUndefined();
    const headers = { origin: 'sample.com', 'access-control-request-method': 'POST' };
    const preflight = await request({ method: 'OPTIONS', headers });
    expect(preflight.status).toBe(204);
    expect(preflight.headers['access-control-allow-headers']).toMatch(/\*.*content-type/);
    expect(node.seen).toHaveLength(1);
  });

  // SP-14
  it.each(['sample.com', 'moz-extension://802123e4-a916-2d4e-bebf-384b0e2e86dd'])(
    'may call from %s when any may',
    async (origin) => {
      const { post } = await start('--http-cors-origins=all');
      expect((await post(NET_VERSION, { origin })).headers['access-control-allow-origin']).toBe('*');
      expect(node.seen[0]?.headers.origin).toBeUndefined();
    },
  );
});

describe('callers without permission', () => {
  it('are rejected for forwarded requests as well', async () => {
    const { publicKey, privateKey } = await generateKeyPair('ES256');
    await writeFile(join(folder, 'jwt.pem'), await exportSPKI(publicKey));
    const { post, request } = await start('--auth-jwt-key-file', join(folder, 'jwt.pem'));
    const token = await new SignJWT({ permissions: ['eth_accounts', 'net_*'] })
      .setProtectedHeader({ alg: 'ES256' })
      .setSubject('alice')
      .setExpirationTime('1h')
      .sign(privateKey);
    const headers = { authorization: `Bearer ${token}` };
    expect((await post(NET_VERSION)).status).toBe(401);
    expect(await post(NET_VERSION, headers)).toMatchObject({ status: 200 });
    // The token is the proxy's, not the client's.
    expect(node.seen[0]?.headers.authorization).toBeUndefined();
    const refused = await post('{"id":1,"method":"eth_foo"}', headers);
    expect(JSON.parse(refused.text)).toMatchObject({ error: { data: { reason: 'FORBIDDEN' } } });
    const batch = await post(
      `[{"id":1,"method":"eth_foo"},{"id":2,"method":"net_x"},{"id":3,"method":"eth_sign"}]`,
      headers,
    );
    expect(JSON.parse(batch.text)).toMatchObject([
      { id: 1, error: { data: { reason: 'FORBIDDEN' } } },
      { id: 2, error: { code: -32601 } },
      { id: 3, error: { data: { reason: 'FORBIDDEN' } } },
    ]);
    expect((await request({ method: 'GET', path: '/elsewhere', headers })).status).toBe(403);
    expect((await request({ method: 'POST', path: '/reload', headers })).status).toBe(403);
    expect((await request({ method: 'GET', path: '/upcheck' })).status).toBe(200);
  });
});

describe('the state of the proxy', () => {
  it('is reported with and without the client', async () => {
    const { request, opsUrl } = await start();
    const health = await request({ method: 'GET', path: '/healthcheck' });
    expect(health.status).toBe(200);
    expect(JSON.parse(health.text)).toEqual({
      status: 'UP',
      outcome: 'UP',
      checks: [
        { id: 'default-check', status: 'UP' },
        { id: 'keys-check/config-files-loading', status: 'UP', data: { 'keys-loaded': 1, 'error-count': 0 } },
      ],
    });
    const ready = await fetch(`${opsUrl}/readyz`);
    expect(await ready.json()).toMatchObject({
      notReady: { downstream: expect.stringContaining('chain id 9') },
    });
  });
});

describe('a client that does not answer', () => {
  it('leaves the proxy ready, as it is lost to all replicas, and holds a rollout', async () => {
    const { opsUrl, post } = (signer = await startSigner({ downstreamPort: await freePort(), flags: [] }));
    const answer = async (path: string) => {
      const response = await fetch(`${opsUrl}${path}`);
      return { status: response.status, ...((await response.json()) as object) };
    };
    const lost = { downstream: expect.any(String) };
    expect(await answer('/readyz')).toEqual({ status: 200, ready: true, notReady: {}, warnings: lost });
    expect(await answer('/readyz/rollout')).toEqual({ status: 503, ready: false, notReady: lost });
    const accounts = await post('{"jsonrpc":"2.0","id":1,"method":"eth_accounts"}');
    expect(JSON.parse(accounts.text)).toMatchObject({ result: [expect.stringMatching(/^0x/)] });
  });
});

describe('the chain of the client', () => {
  const complaints = () =>
    signer?.complaints.filter(({ message }) => message.includes('another chain')).map(({ values }) => values);

  it('is said in the log when it is another one than transactions are signed for', async () => {
    await start();
    while (complaints()?.length === 0) await new Promise((done) => setTimeout(done, 10));
    expect(complaints()).toEqual([{ chainId: '1337', clientChainId: '9' }]);
  });

  it('is nothing to speak of when it is the same', async () => {
    signer = await launchSigner(required(), { TETRAD_SIGNER_DATABASE_URL: (await database()).url });
    while (node.asked.length === 0) await new Promise((done) => setTimeout(done, 10));
    expect((await signer.post(NET_VERSION)).status).toBe(200);
    expect(complaints()).toEqual([]);
  });
});

describe('the path of the client’s JSON-RPC', () => {
  it.each(['--downstream-http-path=', '--downstream-http-path=/'])('is the root with %s', async (flag) => {
    const { post } = await start(flag);
    expect((await post(NET_VERSION)).status).toBe(200);
    expect(node.seen).toMatchObject([{ url: '/' }]);
  });
});

describe('the file of ports', () => {
  it('says where the proxy listens, for as long as it does', async () => {
    const { url } = await start('--data-path', folder);
    const file = join(folder, 'ethsigner.ports');
    expect(await readFile(file, 'utf8')).toBe(`http-jsonrpc=${new URL(url).port}\n`);
    await signer?.stop();
    signer = undefined;
    await expect(stat(file)).rejects.toThrow('ENOENT');
  });
});

describe('options', () => {
  // SP-28
  it('are taken from the command line, else the environment, else the file', async () => {
    const file = join(folder, 'signer.toml');
    const [keyFile, , passwordFile] = keyFlags.slice(1);
    await writeFile(
      file,
      `chain-id = 9\ndownstream-http-port = ${node.port}\nhttp-cors-origins = "all"\n[file-based-signer]\nkey-file = "${keyFile}"\npassword-file = "${passwordFile}"\n`,
    );
    const allowed = async (words: string[], variables: Record<string, string>) => {
      const database = await createTestDatabase('signer');
      const own = { ...variables, TETRAD_SIGNER_DATABASE_URL: database.url };
      const started = await launchSigner(['--config-file', file, ...words], own);
      const { headers } = await started.post(NET_VERSION, { origin: 'a.example' });
      await started.stop();
      await database.drop();
      return headers['access-control-allow-origin'];
    };
    const variable = { ETHSIGNER_HTTP_CORS_ORIGINS: 'a.example' };
    expect(await allowed([], {})).toBe('*');
    expect(await allowed([], variable)).toBe('a.example');
    expect(await allowed(['--http-cors-origins', 'none'], variable)).toBeUndefined();
    expect(await allowed([], { ...variable, ETHSIGNER_CONFIG_FILE: file })).toBe('a.example');
  });

  it.each([
    [['--chain-id', '9'], 'Missing required option(s): --downstream-http-port'],
    // SP-30
    ...[' ', '&', '?', '#', '='].map((character): [string[], string] => [
      ['--downstream-http-path', `/a${character}b`],
      'Illegal characters detected in --downstream-http-path',
    ]),
    [
      ['--tls-keystore-file', '/nowhere'],
      "Missing required argument(s): '--tls-keystore-password-file=<FILE>'",
    ],
    [['--tls-keystore-password-file', '/x'], "Missing required argument(s): '--tls-keystore-file=<FILE>'"],
    [['--tls-allow-any-client'], "Missing required argument(s): '--tls-keystore-file=<FILE>'"],
    [['--tls-known-clients-file', '/x'], "Missing required argument(s): '--tls-keystore-file=<FILE>'"],
    [
      ['--downstream-http-tls-known-servers-file', '/x'],
      "Missing required argument(s): '--downstream-http-tls-enabled=true'",
    ],
    [
      ['--downstream-http-tls-enabled', '--downstream-http-tls-ca-auth-enabled=false'],
      "'--downstream-http-tls-known-servers-file' must be specified if '--downstream-http-tls-ca-auth-enabled=false'",
    ],
    [['--http-cors-origins', 'none,a'], "Value 'none' can't be used with other domains"],
    [['--downstream-http-proxy-username', 'x'], '--downstream-http-proxy-host'],
    [['--keystores-path', '/x'], '--keystores-password-file'],
    [['--config-file', '/nowhere.toml'], 'TOML configuration file not found: /nowhere.toml'],
  ])('%j end with what is wrong', async (words, problem) => {
    const all = words[0] === '--chain-id' ? words : [...required(), ...words];
    await expect(launchSigner(all)).rejects.toThrow(problem);
  });

  it('must say where keys come from', async () => {
    const words = ['--chain-id', '9', '--downstream-http-port', String(node.port)];
    await expect(launchSigner(words)).rejects.toThrow('Missing required subcommand');
  });

  it('must not name the proxy itself as the client', async () => {
    const ports = ['--http-listen-port', '18545', '--downstream-http-port', '18545', '--chain-id', '9'];
    await expect(launchSigner([...ports, ...keyFlags])).rejects.toThrow(
      'Http host and port must be different to the downstream host and port.',
    );
  });

  // SP-21
  it('with a wrong password end before anything listens', async () => {
    const wrong = join(folder, 'wrong');
    await writeFile(wrong, 'not it');
    const words = [...required().filter((word) => word !== keyFlags[3]), wrong];
    await expect(launchSigner(words)).rejects.toThrow(
      /Failed to construct a signer from supplied arguments.*Error when decrypting key/,
    );
  });
});
