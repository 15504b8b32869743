import { readFileSync } from 'node:fs';
import { request } from 'node:https';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
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
