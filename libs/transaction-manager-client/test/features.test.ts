import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { ManagerClient } from '../src/manager-client.js';

type Answers = Readonly<Record<string, readonly [status: number, text: string]>>;

/** What a client finds a server to be that answers GET requests so, and 404 to others. */
async function check(answers: Answers) {
  const server = createServer(({ url = '' }, response) => {
    const [status, text] = answers[url] ?? [404, 'not found'];
    response.writeHead(status).end(text);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const client = new ManagerClient({ url, timeoutMs: 60_000, connectTimeoutMs: 60_000 });
  try {
    return await client.features();
  } finally {
    await client.close();
    server.closeAllConnections();
    await new Promise<void>((done) => server.close(() => done()));
  }
}

describe('a server at the URL of a manager', () => {
  it('is an old manager when it is up, and has no request for its versions', async () => {
    expect(await check({ '/upcheck': [200, "I'm up!"] })).toMatchObject({ value: { version: '1.0' } });
  });

  it.each<[string, Answers, string]>([
    ['knows neither request, as a web server', {}, 'it knows neither /version/api nor /upcheck'],
    ['says something else, as a page', { '/upcheck': [200, '<html>'] }, 'it knows neither'],
    ['takes no GET requests', { '/version/api': [405, ''] }, 'it takes no GET requests, as a node'],
  ])('is no manager when it %s: payloads are not absent then, but unknown', async (_what, answers, why) => {
    expect(await check(answers)).toEqual({
      kind: 'unknown',
      reason: expect.stringContaining(`the server at the URL is no transaction manager: ${why}`),
    });
  });

  it('may refuse for now', async () => {
    const answers: Answers = { '/version/api': [503, 'starting'] };
    expect(await check(answers)).toMatchObject({ kind: 'refused', status: 503 });
  });
});
