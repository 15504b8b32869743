import { mkdtempSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { useFakeNode } from '../fake-setup.js';

const NET_VERSION = '{"jsonrpc":"2.0","id":1,"method":"net_version"}';

const folder = mkdtempSync(join(tmpdir(), 'tetrad-hosts-'));
afterAll(() => rmSync(folder, { recursive: true }));
const fake = useFakeNode({
  flags: [
    '--http-host-allowlist',
    'signer.example',
    '--data-path',
    folder,
    '--metrics-enabled',
    '--metrics-port',
    '0',
    '--metrics-host-allowlist',
    'metrics.example',
  ],
});

const REFUSED = /^HTTP\/1\.1 403 [^]*"message":"Host not authorized\."/;

/**
 * Sends a request with the header lines.
 * @returns what comes back, to its end
 */
function speak(port: number, head: readonly string[], body = ''): Promise<string> {
  const lines = [...head, `Content-Length: ${body.length}`, 'Connection: close', '', body];
  return new Promise((done, fail) => {
    let answer = '';
    const socket = connect(port, '127.0.0.1', () => socket.write(lines.join('\r\n')));
    socket.on('data', (chunk: Buffer) => (answer += chunk.toString()));
    socket.on('end', () => done(answer));
    socket.on('error', fail);
  });
}

/** A request to pass through, with the lines in its head. */
const ask = (...head: readonly string[]) =>
  speak(
    Number(new URL(fake.signer.url).port),
    ['POST / HTTP/1.1', 'Content-Type: application/json', ...head],
    NET_VERSION,
  );

describe('the host that a request is addressed to', () => {
  it.each(['evil.example', '', 'signer.example.evil.example'])('must be known: %j is not', async (host) => {
    expect(await ask(`Host: ${host}`)).toMatch(REFUSED);
    expect(fake.node.seen).toEqual([]);
  });

  it('is let in by the option that the answer names', async () => {
    expect(await ask('Host: evil.example')).toContain('host not allowed (see --http-host-allowlist)');
    const origin = ['Host: signer.example', 'Origin: https://evil.example', 'Upgrade: websocket'];
    expect(await ask(...origin)).toContain('origin not allowed (see --http-cors-origins)');
  });

  it('must be there', async () => {
    expect(await ask()).toMatch(/^HTTP\/1\.1 400 /);
    expect(fake.node.seen).toEqual([]);
  });

  it.each(['signer.example', 'signer.example:80'])('may be %s, and reaches the client', async (host) => {
    expect(await ask(`Host: ${host}`)).toMatch(/^HTTP\/1\.1 200 /);
    expect(fake.node.seen).toMatchObject([{ headers: { 'x-forwarded-host': host } }]);
  });
});

describe('the host that metrics are asked of', () => {
  it('must be known too', async () => {
    const [, port] = /metrics-port=(\d+)/.exec(await readFile(join(folder, 'ethsigner.ports'), 'utf8')) ?? [];
    const scrape = (host: string) => speak(Number(port), ['GET /metrics HTTP/1.1', `Host: ${host}`]);
    expect(await scrape('evil.example')).toMatch(REFUSED);
    expect(await scrape('metrics.example')).toMatch(/^HTTP\/1\.1 200 [^]*process_/);
  });
});
