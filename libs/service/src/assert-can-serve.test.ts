import { createServer, type AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parseCommandLine } from './command-line.js';
import { assertCanServe } from './assert-can-serve.js';
import { loadConfig } from './load-config.js';
import { serviceOptions } from './service-options.js';

const options = serviceOptions({ httpListenPort: 0, opsListenPort: 0 });
const configOf = (words: readonly string[]) =>
  loadConfig({ service: 'test', options, environment: {}, commandLine: parseCommandLine(words, options) });

const holder = createServer();
let taken: number;
beforeAll(async () => {
  await new Promise<void>((done) => holder.listen(0, '127.0.0.1', done));
  taken = (holder.address() as AddressInfo).port;
});
afterAll(() => void holder.close());

const PEERS = { host: '127.0.0.1', portOption: '--peer-listen-port' };

describe('the checks before a service opens anything', () => {
  it('passes with free ports', async () => {
    await expect(assertCanServe(configOf([]), { ports: [{ ...PEERS, port: 0 }] })).resolves.toBeUndefined();
  });

  it('names a port that is taken, of every kind', async () => {
    const text = `port ${taken} on 127.0.0.1 is already in use`;
    for (const flag of ['--http-listen-port', '--ops-listen-port'])
      await expect(assertCanServe(configOf([flag, String(taken)]))).rejects.toThrow(`${flag}: ${text}`);
    await expect(assertCanServe(configOf([]), { ports: [{ ...PEERS, port: taken }] })).rejects.toThrow(
      `--peer-listen-port: ${text}`,
    );
  });

  it.each([
    [['--http-listen-host', '0.0.0.0'], '0.0.0.0 is not loopback and callers are not authenticated'],
    [['--tls-key-file', '/nowhere'], '--tls-cert-file: is required with --tls-key-file'],
    [['--auth-jwt-key-file', '/nowhere'], '--auth-jwt-key-file: cannot read /nowhere'],
    [
      ['--http-listen-port', '4', '--ops-listen-port', '4'],
      '--ops-listen-port: 4 is that of --http-listen-port',
    ],
  ])('refuses %j', async (words, message) => {
    await expect(assertCanServe(configOf(words))).rejects.toThrow(message);
  });
});
