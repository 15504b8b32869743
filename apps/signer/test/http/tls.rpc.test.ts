import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import {
  connect,
  createServer as createTcpServer,
  type AddressInfo,
  type Server as TcpServer,
} from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TLSSocket } from 'node:tls';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { HAS_OPENSSL, makeCertificate, type Certificate } from '../certificates.js';
import { startSigner, type RunningSigner } from '../running-signer.js';

let folder: string;
let server: Certificate;
let alice: Certificate;
let mallory: Certificate;
let signer: RunningSigner | undefined;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'tetrad-tls-'));
  if (!HAS_OPENSSL) return;
  server = makeCertificate(folder, 'server');
  alice = makeCertificate(folder, 'alice');
  mallory = makeCertificate(folder, 'mallory');
});
afterAll(() => rmSync(folder, { recursive: true }));
afterEach(async () => {
  await signer?.stop();
  signer = undefined;
});

const start = async (downstreamPort: number, ...flags: string[]) =>
  (signer = await startSigner({ downstreamPort, flags }));
const file = (name: string, content: string) => {
  writeFileSync(join(folder, name), content);
  return join(folder, name);
};
const identity = (prefix: string, { keystoreFile, passwordFile }: Certificate) => [
  `--${prefix}-keystore-file`,
  keystoreFile,
  `--${prefix}-keystore-password-file`,
  passwordFile,
];

(HAS_OPENSSL ? describe : describe.skip)('callers over TLS', () => {
  const accounts = (running: RunningSigner, tls: object = {}) =>
    running
      .request({
        body: '{"id":1,"method":"eth_accounts"}',
        headers: { 'content-type': 'application/json' },
        tls: { ca: server.cert, ...tls },
      })
      .then(({ status }) => status);

  it('need no certificate when any may come', async () => {
    const running = await start(9, ...identity('tls', server), '--tls-allow-any-client');
    expect(running.url).toMatch(/^https:/);
    expect(await accounts(running)).toBe(200);
  });

  it('must be known by name and fingerprint otherwise', async () => {
    const lines = `# callers\nalice ${alice.fingerprint.toLowerCase()}\nbob ${mallory.fingerprint}\n`;
    const known = file('known-clients', lines);
    const running = await start(9, ...identity('tls', server), '--tls-known-clients-file', known);
    expect(await accounts(running, { cert: alice.cert, key: alice.key })).toBe(200);
    await expect(accounts(running, { cert: mallory.cert, key: mallory.key })).rejects.toThrow();
    await expect(accounts(running)).rejects.toThrow();
  });

  it('may have a certificate of a known authority', async () => {
    const authority = file('authority', alice.cert);
    const running = await start(
      9,
      ...identity('tls', server),
      '--tls-allow-ca-clients',
      '--tls-client-ca-file',
      authority,
    );
    expect(await accounts(running, { cert: alice.cert, key: alice.key })).toBe(200);
    await expect(accounts(running, { cert: mallory.cert, key: mallory.key })).rejects.toThrow();
  });

  it('cannot come when the files do not fit', async () => {
    const flags = identity('tls', server);
    const wrong = file('wrong', 'not it');
    const empty = file('empty', '');
    const malformed = file('malformed', 'alice 12:34');
    await expect(start(9, ...flags)).rejects.toThrow('expecting either --tls-allow-any-client or one of');
    // SP-27
    await expect(
      start(9, '--tls-keystore-file', '/nowhere', ...flags.slice(2), '--tls-allow-any-client'),
    ).rejects.toThrow('--tls-keystore-file: /nowhere cannot be used');
    const withPassword = (path: string) =>
      start(9, ...flags.slice(0, 2), '--tls-keystore-password-file', path, '--tls-allow-any-client');
    await expect(withPassword(wrong)).rejects.toThrow('--tls-keystore-file');
    await expect(withPassword(empty)).rejects.toThrow('Cannot read from empty file');
    await expect(start(9, ...flags, '--tls-known-clients-file', malformed)).rejects.toThrow(
      'Illegally formatted client fingerprint file.',
    );
  });
});

(HAS_OPENSSL ? describe : describe.skip)('an Ethereum client over TLS', () => {
  let client: Server | undefined;
  let proxy: TcpServer | undefined;
  const shown: (string | undefined)[] = [];
  afterEach(() => {
    client?.closeAllConnections();
    client?.close();
    proxy?.close();
  });

  async function startClient(certificate: Certificate): Promise<number> {
    shown.length = 0;
    const tls = {
      cert: certificate.cert,
      key: certificate.key,
      requestCert: true,
      rejectUnauthorized: false,
    };
    const listening = createServer(tls, (request, response) => {
      shown.push((request.socket as TLSSocket).getPeerCertificate().fingerprint256);
      response.end('{"jsonrpc":"2.0","id":1,"result":"0x7"}');
    });
    client = listening;
    await new Promise<void>((done) => listening.listen(0, '127.0.0.1', done));
    return (listening.address() as AddressInfo).port;
  }

  const TLS = ['--downstream-http-tls-enabled', '--downstream-http-host', 'localhost'];
  const failed = { status: 502, error: { code: -32000, message: 'Failed to connect to downstream node' } };
  const known = (port: number, { fingerprint }: Certificate) =>
    file(`known-${port}`, `localhost:${port} ${fingerprint}\n`);

  // SP-26
  it('is trusted when it is listed, and is shown our certificate', async () => {
    const port = await startClient(server);
    const flags = [...TLS, '--downstream-http-tls-known-servers-file', known(port, server)];
    const { call } = await start(port, ...flags, ...identity('downstream-http-tls', alice));
    expect(await call('eth_blockNumber')).toMatchObject({ status: 200, result: '0x7' });
    expect(new Set(shown)).toEqual(new Set([alice.fingerprint]));
  });

  it('is not trusted when it is not: nothing is sent to it', async () => {
    const port = await startClient(server);
    const { call } = await start(port, ...TLS);
    expect(await call('eth_blockNumber')).toMatchObject(failed);
    expect(shown).toEqual([]);
  });

  it('is not trusted with another certificate than the listed one', async () => {
    const port = await startClient(mallory);
    const { call } = await start(
      port,
      ...TLS,
      '--downstream-http-tls-known-servers-file',
      known(port, server),
    );
    expect(await call('eth_blockNumber')).toMatchObject(failed);
    expect(shown).toEqual([]);
  });

  it('that speaks no TLS is a failed connection', async () => {
    const listening = createTcpServer((socket) => socket.end('HTTP/1.1 200 OK\r\n\r\n'));
    proxy = listening;
    await new Promise<void>((done) => listening.listen(0, '127.0.0.1', done));
    const { call } = await start((listening.address() as AddressInfo).port, ...TLS);
    expect(await call('eth_blockNumber')).toMatchObject(failed);
  });

  it('is reached through an HTTP proxy, in a tunnel', async () => {
    const port = await startClient(server);
    const asked: string[] = [];
    const listening = createTcpServer((socket) => {
      socket.once('data', (head: Buffer) => {
        asked.push(head.toString());
        const target = connect(port, '127.0.0.1', () => socket.write('HTTP/1.1 200 OK\r\n\r\n'));
        socket.pipe(target).pipe(socket);
        socket.on('error', () => target.destroy());
        target.on('error', () => socket.destroy());
      });
    });
    proxy = listening;
    await new Promise<void>((done) => listening.listen(0, '127.0.0.1', done));
    const { call } = await start(
      port,
      ...TLS,
      '--downstream-http-tls-known-servers-file',
      known(port, server),
      '--downstream-http-proxy-host',
      '127.0.0.1',
      '--downstream-http-proxy-port',
      String((listening.address() as AddressInfo).port),
      '--downstream-http-proxy-username',
      'me',
      '--downstream-http-proxy-password-file',
      file('proxy-password', 'secret\n'),
    );
    expect(await call('eth_blockNumber')).toMatchObject({ status: 200, result: '0x7' });
    expect(asked[0]).toMatch(new RegExp(`^CONNECT localhost:${port} HTTP/1.1`));
    expect(asked[0]).toContain(`proxy-authorization: Basic ${Buffer.from('me:secret').toString('base64')}`);
  });
});

describe('an HTTP proxy on the way to a plain client', () => {
  it('is asked for whole URLs', async () => {
    const asked: string[] = [];
    const proxy = createTcpServer((socket) =>
      socket.once('data', (head: Buffer) => {
        asked.push(head.toString());
        socket.end('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}');
      }),
    );
    await new Promise<void>((done) => proxy.listen(0, '127.0.0.1', done));
    const port = String((proxy.address() as AddressInfo).port);
    const { post } = await start(
      1234,
      '--downstream-http-host',
      'client.example',
      '--downstream-http-path',
      'rpc',
      '--downstream-http-proxy-host',
      '127.0.0.1',
      '--downstream-http-proxy-port',
      port,
    );
    expect((await post('{"id":1,"method":"eth_foo"}')).text).toBe('{}');
    expect(asked[0]).toMatch(/^POST http:\/\/client\.example:1234\/rpc HTTP\/1\.1\r\n/);
    expect(asked[0]).toContain('host: client.example:1234');
    proxy.close();
  });
});
