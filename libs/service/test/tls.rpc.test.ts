import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { copyFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, request, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, type TLSSocket } from 'node:tls';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { silentLogger } from '@tetrad/types';
import { readAccess } from '../src/assert-can-serve.js';
import { loadConfig, parseCommandLine, serviceOptions } from '../src/index.js';
import { TlsRenewal } from '../src/tls/tls-renewal.js';
import { startTestService, stopTestServices } from './running-service.js';

afterAll(stopTestServices);

const file = (name: string) => join(import.meta.dirname, 'vectors', name);
const server = ['--tls-cert-file', file('server.crt'), '--tls-key-file', file('server.key')];
const mutual = [...server, '--tls-client-ca-file', file('ca.crt')];

function post(url: string, client?: string): Promise<number> {
  return new Promise((done, fail) => {
    const identity =
      client === undefined
        ? {}
        : { cert: readFileSync(file(`${client}.crt`)), key: readFileSync(file(`${client}.key`)) };
    const call = request(
      url,
      { method: 'POST', agent: false, ca: readFileSync(file('ca.crt')), ...identity },
      (response) => {
        response.resume();
        done(response.statusCode ?? 0);
      },
    );
    call.on('error', fail);
    call.end();
  });
}

describe('TLS', () => {
  it('serves clients that trust the certificate', async () => {
    const { url } = await startTestService(server);
    expect(url).toMatch(/^https:/);
    expect(await post(url)).toBe(200);
  });

  it('does not answer plain HTTP', async () => {
    const { url } = await startTestService(server);
    await expect(fetch(url.replace('https', 'http'))).rejects.toThrow('fetch failed');
  });
});

describe('mutual TLS', () => {
  it('lets in a client of the authority, also off loopback', async () => {
    const { url } = await startTestService([...mutual, '--http-listen-host', '0.0.0.0']);
    expect(await post(url.replace('0.0.0.0', '127.0.0.1'), 'client')).toBe(200);
  });

  it('turns away a client without certificate and one of another authority', async () => {
    const { url } = await startTestService(mutual);
    await expect(post(url)).rejects.toThrow();
    await expect(post(url, 'stranger')).rejects.toThrow();
  });
});

describe('TLS files that are replaced', () => {
  const read = (name: string) => ({
    cert: readFileSync(file(`${name}.crt`)),
    key: readFileSync(file(`${name}.key`)),
  });
  const warnings: unknown[] = [];
  const logger = { ...silentLogger, warn: (...given: unknown[]) => void warnings.push(given) };
  let tls: Server;
  beforeAll(async () => {
    tls = createServer(read('server'), (_request, response) => response.end());
    await new Promise<void>((done) => tls.listen(0, '127.0.0.1', done));
  });
  afterAll(() => new Promise((done) => tls.close(done)));

  /** A connection that stays open. */
  const connected = async () => {
    const socket = connect({ port: (tls.address() as AddressInfo).port, rejectUnauthorized: false });
    await once(socket, 'secureConnect');
    return socket;
  };
  const nameAt = (socket: TLSSocket) => socket.getPeerX509Certificate()?.fingerprint256;
  const nameOf = (name: string) => new X509Certificate(read(name).cert).fingerprint256;

  it('are those of new connections, and open connections go on', async () => {
    let present = 'server';
    const renewal = new TlsRenewal(tls, { present: read('server'), read: () => read(present), logger });
    const old = await connected();
    renewal.check();
    present = 'stranger';
    renewal.check();
    const next = await connected();
    expect([nameAt(old), nameAt(next)]).toEqual([nameOf('server'), nameOf('stranger')]);
    const answered = once(old, 'data');
    old.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
    expect(String((await answered)[0])).toMatch(/^HTTP\/1.1 200/);
    old.destroy();
    next.destroy();
  });

  it('that do not fit together are reported once, and the former ones stay in use', async () => {
    const [{ cert }, { key }] = [read('server'), read('client')];
    tls.setSecureContext(read('server'));
    const renewal = new TlsRenewal(tls, { present: read('server'), read: () => ({ cert, key }), logger });
    renewal.check();
    renewal.check();
    expect(warnings).toHaveLength(1);
    const socket = await connected();
    expect(nameAt(socket)).toBe(nameOf('server'));
    socket.destroy();
  });

  it('are read again from where the options of a service say', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'tetrad-tls-'));
    const place = (name: string) => {
      for (const kind of ['crt', 'key']) copyFileSync(file(`${name}.${kind}`), join(folder, `tls.${kind}`));
    };
    place('server');
    const options = serviceOptions({ httpListenPort: 0, opsListenPort: 0 });
    const flags = ['--tls-cert-file', join(folder, 'tls.crt'), '--tls-key-file', join(folder, 'tls.key')];
    const commandLine = parseCommandLine(flags, options);
    const { tls: given } = await readAccess(
      loadConfig({ service: 'test', options, commandLine, environment: {} }),
      {},
    );
    place('client');
    expect(given?.reread?.()).toMatchObject({ cert: readFileSync(file('client.crt'), 'utf8') });
    rmSync(folder, { recursive: true });
  });
});

describe('a bad configuration', () => {
  it.each([
    [['--tls-cert-file', file('server.crt')], '--tls-key-file: is required with --tls-cert-file'],
    [['--tls-key-file', file('server.key')], '--tls-cert-file: is required with --tls-key-file'],
    [
      ['--tls-client-ca-file', file('ca.crt')],
      '--tls-client-ca-file: requires --tls-cert-file and --tls-key-file',
    ],
    [
      ['--tls-cert-file', file('server.crt'), '--tls-key-file', file('client.key')],
      'not a usable certificate and key',
    ],
    [
      ['--tls-cert-file', '/nowhere', '--tls-key-file', file('server.key')],
      '--tls-cert-file: cannot read /nowhere',
    ],
    [[...server, '--http-listen-host', '0.0.0.0'], 'callers are not authenticated'],
  ])('%j', async (flags, message) => {
    await expect(startTestService(flags)).rejects.toThrow(message);
  });
});
