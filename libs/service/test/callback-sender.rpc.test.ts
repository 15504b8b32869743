import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, describe, expect, it } from '@jest/globals';
import { createCallbackSender, type CallbackSender, type ResolveAll } from '../src/callback-sender.js';

const cleanups: (() => unknown)[] = [];

afterAll(async () => {
  for (const cleanup of cleanups) await cleanup();
});

async function listen(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  cleanups.push(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function sender(options: {
  allowPrivate: boolean;
  timeoutMs?: number;
  resolve?: ResolveAll;
}): CallbackSender {
  const made = createCallbackSender(options);
  cleanups.push(() => made.close());
  return made;
}

const resolveTo =
  (...addresses: string[]): ResolveAll =>
  async () =>
    addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));

describe('a callback', () => {
  it('is one JSON object and a newline, posted', async () => {
    const seen: unknown[] = [];
    const url = await listen((request, response) => {
      let body = '';
      request.on('data', (chunk: Buffer) => (body += chunk.toString()));
      request.on('end', () => {
        seen.push([request.method, request.headers['content-type'], body]);
        response.writeHead(500).end('ignored');
      });
    });
    await sender({ allowPrivate: true }).post(`${url}/done`, { id: 2n ** 63n, txHash: '0x00' });
    expect(seen).toEqual([['POST', 'application/json', '{"id":9223372036854775808,"txHash":"0x00"}\n']]);
  });

  it('does not follow a redirect', async () => {
    let followed = 0;
    const target = await listen((_request, response) => {
      followed += 1;
      response.end();
    });
    const url = await listen(
      (_request, response) => void response.writeHead(307, { location: target }).end(),
    );
    await sender({ allowPrivate: true }).post(url, {});
    expect(followed).toBe(0);
  });

  it('fails without an answer in time, and when the connection is refused', async () => {
    const url = await listen(() => undefined);
    const callbacks = sender({ allowPrivate: true, timeoutMs: 200 });
    await expect(callbacks.post(url, {})).rejects.toThrow(
      expect.objectContaining({ name: 'CallbackFailedError' }),
    );
    await expect(callbacks.post('http://127.0.0.1:1/', {})).rejects.toThrow(/not delivered/);
  });

  it('ignores an answer without end', async () => {
    const url = await listen((_request, response) => {
      response.on('error', () => undefined);
      const pour = () => {
        while (!response.destroyed && response.write('x'.repeat(65_536)));
      };
      response.on('drain', pour);
      pour();
    });
    await expect(sender({ allowPrivate: true }).post(url, {})).resolves.toBeUndefined();
  });
});

describe('a callback URL', () => {
  it.each([
    ['file:///etc/passwd', 'only http and https'],
    ['ftp://host/', 'only http and https'],
    ['not a url', 'not a URL'],
    ['http://user:pass@example.com/', 'credentials'],
    ['http://127.0.0.1/', 'private address'],
    ['http://2130706433/', 'private address'],
    ['http://0x7f.1/', 'private address'],
    ['http://[::1]:8545/', 'private address'],
    ['http://[::ffff:169.254.169.254]/', 'private address'],
    ['http://169.254.169.254/latest/meta-data', 'private address'],
    ['https://10.0.0.1/', 'private address'],
  ])('%s is refused', async (url, reason) => {
    const check = sender({ allowPrivate: false }).check(url);
    await expect(check).rejects.toThrow(expect.objectContaining({ name: 'CallbackNotAllowedError' }));
    await expect(check).rejects.toThrow(reason);
  });

  it('whose name has any private address is refused', async () => {
    const callbacks = sender({ allowPrivate: false, resolve: resolveTo('1.1.1.1', '10.0.0.1') });
    await expect(callbacks.check('http://mixed.example/')).rejects.toThrow('mixed.example is a loopback');
  });

  it('whose name cannot be resolved is refused with that reason', async () => {
    const resolve = () => Promise.reject(new Error('ENOTFOUND'));
    await expect(sender({ allowPrivate: false, resolve }).check('http://gone.example/')).rejects.toThrow(
      'the name gone.example cannot be resolved',
    );
  });

  it('of a public host is allowed', async () => {
    const callbacks = sender({ allowPrivate: false, resolve: resolveTo('93.184.216.34') });
    await expect(callbacks.check('https://callbacks.example/path?x=1')).resolves.toBeUndefined();
    await expect(callbacks.check('https://93.184.216.34/')).resolves.toBeUndefined();
  });

  it('whose name turns private after the check is not connected to', async () => {
    let reached = 0;
    const url = new URL(await listen(() => void (reached += 1)));
    let asked = 0;
    const resolve: ResolveAll = async () => {
      asked += 1;
      return [{ address: asked === 1 ? '93.184.216.34' : '127.0.0.1', family: 4 }];
    };
    const callbacks = sender({ allowPrivate: false, resolve });
    await expect(callbacks.post(`http://rebinding.example:${url.port}/`, {})).rejects.toThrow(
      'private address',
    );
    expect({ asked, reached }).toEqual({ asked: 2, reached: 0 });
  });
});
