import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { reasonOf, startNode, type RunningNode } from '../../running-node.js';

const RECIPIENT = `0x${'ab'.repeat(20)}`;
const ZERO_HASH = `0x${'00'.repeat(32)}`;

interface Outcome {
  readonly id: unknown;
  readonly txHash?: string;
  readonly error?: string;
}

let node: RunningNode;
let strict: RunningNode;
let receiver: Server;
let callbackUrl: string;
const outcomes: Outcome[] = [];
let arrived: () => void = () => undefined;

beforeAll(async () => {
  node = await startNode(['--callback-allow-private', 'true']);
  strict = await startNode();
  receiver = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      outcomes.push(JSON.parse(body) as Outcome);
      response.end();
      arrived();
    });
  });
  await new Promise<void>((done) => receiver.listen(0, '127.0.0.1', done));
  callbackUrl = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/done`;
});
afterAll(async () => {
  await node.stop();
  await strict.stop();
  receiver.close();
});

async function outcomeOf(transaction: Record<string, unknown>): Promise<Outcome> {
  const posted = new Promise<void>((done) => (arrived = done));
  const answer = await node.result('eth_sendTransactionAsync', [
    { from: node.accounts[0], callbackUrl, ...transaction },
  ]);
  expect(answer).toBe(ZERO_HASH);
  await posted;
  return outcomes.at(-1) as Outcome;
}

describe('eth_sendTransactionAsync', () => {
  it('answers with zeros and posts the hash, which is mined', async () => {
    const outcome = await outcomeOf({ to: RECIPIENT, value: '0x7' });
    expect(outcome).toEqual({ id: 1, txHash: expect.stringMatching(/^0x[0-9a-f]{64}$/) });
    expect(await node.mined(outcome.txHash as string)).toMatchObject({ status: '0x1' });
  });

  it('posts why a transaction failed', async () => {
    expect(await outcomeOf({ from: RECIPIENT, to: RECIPIENT })).toEqual({ id: 1, error: 'unknown account' });
  });

  it('sends without a callback too', async () => {
    const before = Number(await node.result('eth_getTransactionCount', [node.accounts[1], 'latest']));
    const request = { from: node.accounts[1], to: RECIPIENT };
    expect(await node.result('eth_sendTransactionAsync', [request])).toBe(ZERO_HASH);
    let count = before;
    while (count === before)
      count = Number(await node.result('eth_getTransactionCount', [node.accounts[1], 'latest']));
    expect(count).toBe(before + 1);
  });

  it.each(['http://127.0.0.1:9/x', 'http://[::1]/x', 'http://169.254.1.1/x', 'ftp://example.com/', 'no url'])(
    'refuses to call %s unless it is allowed',
    async (url) => {
      const answer = await strict.call('eth_sendTransactionAsync', [
        { from: strict.accounts[0], to: RECIPIENT, callbackUrl: url },
      ]);
      expect(reasonOf(answer)).toBe('CALLBACK_URL_NOT_ALLOWED');
    },
  );
});
