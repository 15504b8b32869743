import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, it } from '@jest/globals';
import { checkHandover, describeVerdict } from './handover.js';

const HASH = `0x${'aa'.repeat(32)}`;
const GOOD: Readonly<Record<string, unknown>> = {
  eth_chainId: '0x539',
  eth_getBlockByNumber: { number: '0x64', hash: HASH },
  txpool_status: { pending: '0x0', queued: '0x0' },
  net_peerCount: '0x1',
  eth_syncing: false,
};

const servers: Server[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    await new Promise((done) => server.close(done));
  }
});

/** A node that answers with these results; or as the function does, with the number of the request. */
async function node(
  results: Readonly<Record<string, unknown>>,
  answer?: (response: ServerResponse, count: number) => void,
): Promise<URL> {
  let count = 0;
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      count += 1;
      if (answer !== undefined) return answer(response, count);
      const { method } = JSON.parse(Buffer.concat(chunks).toString()) as { method: string };
      const result = results[method];
      const body =
        result instanceof Error ? { error: { code: -32601, message: result.message } } : { result };
      response.end(JSON.stringify({ jsonrpc: '2.0', id: 1, ...body }));
    });
  });
  servers.push(server);
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return new URL(`http://user:secret@127.0.0.1:${(server.address() as AddressInfo).port}/`);
}

async function check(...urls: URL[]): Promise<string> {
  const lines: string[] = [];
  const verdict = await checkHandover({ urls, pauseMs: 1, timeoutMs: 2_000 }, (line) => lines.push(line));
  return [...lines, describeVerdict(verdict)].join('\n');
}

it('nodes that stand at one block with empty pools may be handed over', async () => {
  const text = await check(await node(GOOD), await node(GOOD));
  expect(text).toMatch(
    new RegExp(`safe: all stand at block 100 ${HASH}; the new network goes on with block 101$`),
  );
  expect(text).toMatch(/^http:\/\/127\.0\.0\.1:\d+ {2}block 100 .*, pool 0 \+ 0, 1 peers$/m);
  expect(text).not.toContain('secret');
});

it.each<[string, () => Promise<URL>]>([
  [
    'txpool_status: the method does not exist',
    () => node({ ...GOOD, txpool_status: new Error('the method does not exist') }),
  ],
  [
    'txpool_status: the result makes no sense: queued',
    () => node({ ...GOOD, txpool_status: { pending: '0x0', queued: 0 } }),
  ],
  [
    'eth_getBlockByNumber: the result makes no sense: hash',
    () => node({ ...GOOD, eth_getBlockByNumber: { number: '0x64', hash: 'x' } }),
  ],
  ['is synchronizing', () => node({ ...GOOD, eth_syncing: { currentBlock: '0x1' } })],
  ['eth_chainId: the answer is not JSON-RPC', () => node({}, (response) => void response.end('<html>'))],
  ['eth_chainId: no answer within 2000 ms', () => node({}, () => undefined)],
  [
    'the answer exceeds 4194304 bytes',
    () => node({}, (response) => void response.end(Buffer.alloc(4_194_305))),
  ],
  ['eth_chainId: ', () => node({}, (response) => void response.destroy())],
])('a node that does not answer as it must is named: %s', async (message, bad) => {
  const text = await check(await node(GOOD), await bad());
  expect(text).toContain('not yet:');
  expect(text).toContain(message);
});
