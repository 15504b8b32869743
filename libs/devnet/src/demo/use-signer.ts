import { randomUUID } from 'node:crypto';
import { developmentAccounts } from '@tetrad/testkit';
import { callRpc } from './call-rpc.js';
import { assert, type DemoContext } from './demo-context.js';
import { eventually } from './eventually.js';
import { Progress } from './progress.js';

const SENDS = 200;
const AT_A_TIME = 16;
const RETRY_PAUSE_MS = 200;
const SEND_TIMEOUT_MS = 300_000;

interface SentTransaction {
  readonly nonce: string;
  readonly value: string;
  readonly blockNumber: string | null;
}

/**
 * Sends from one account concurrently, kills the signer in the middle and starts it again: every sender retries until it
 * has an answer, with an idempotency key that makes its requests one. Then one transaction replaces another.
 */
export async function useSigner(context: DemoContext): Promise<string> {
  const [from] = (await callRpc(context.signerUrl, 'eth_accounts', [])) as string[];
  assert(from !== undefined, 'the signer lists no account');
  const first = await count(context, from, 'pending');
  const hashes = await sendThroughCrash(context, from);
  await eventually(
    'not all sends were mined',
    async () => (await count(context, from, 'latest')) >= first + SENDS,
  );
  const nonces = await Promise.all(
    hashes.map(async (hash) => Number((await transaction(context, hash)).nonce)),
  );
  nonces.sort((a, b) => a - b);
  assert(
    nonces.every((nonce, index) => nonce === first + index),
    `the nonces are not ${SENDS} in a row from ${first}`,
  );
  assert((await count(context, from, 'pending')) === first + SENDS, 'something was sent twice');
  await replaceOne(context, from);
  return `${SENDS} sends from one account, ${AT_A_TIME} at a time, with the signer killed and started again in the middle, took ${SENDS} nonces in a row, none twice; a transaction at a higher gas price took the place of another`;
}

async function sendThroughCrash(context: DemoContext, from: string): Promise<string[]> {
  const [recipient] = developmentAccounts(1, 'signer recipient');
  const progress = new Progress('sends through the signer answered', SENDS);
  const hashes: string[] = [];
  let next = 0;
  let crash: Promise<void> | undefined;
  const work = async () => {
    while (next++ < SENDS) {
      const request = { from, to: recipient?.address, value: '0x1', gas: '0x5208', gasPrice: '0x0' };
      hashes.push(await sendUntilAnswered(context, request));
      progress.advance();
      // In the middle, with other sends reserved, signed or submitted.
      if (hashes.length === SENDS / 2) crash = crashSigner(context);
    }
  };
  await Promise.all(Array.from({ length: AT_A_TIME }, work));
  await crash;
  return hashes;
}

async function crashSigner({ network }: DemoContext): Promise<void> {
  const signer = network.process('signer');
  await signer.kill();
  await signer.start();
}

/** Retries without an answer; with the idempotency key all attempts are one request. */
async function sendUntilAnswered(context: DemoContext, request: object): Promise<string> {
  const headers = { 'idempotency-key': randomUUID() };
  const deadline = Date.now() + SEND_TIMEOUT_MS;
  for (;;) {
    try {
      return (await callRpc(context.signerUrl, 'eth_sendTransaction', [request], headers)) as string;
    } catch (error) {
      if (Date.now() > deadline) throw error;
      await new Promise((done) => setTimeout(done, RETRY_PAUSE_MS));
    }
  }
}

/** A transaction that waits for a nonce before its own is replaced, then the gap is closed. */
async function replaceOne(context: DemoContext, from: string): Promise<void> {
  const nonce = await count(context, from, 'pending');
  const send = (at: number, gasPrice: string, value: string) =>
    callRpc(context.signerUrl, 'eth_sendTransaction', [
      { from, to: from, gas: '0x5208', nonce: `0x${at.toString(16)}`, gasPrice, value },
    ]) as Promise<string>;
  await send(nonce + 1, '0x0', '0x1');
  const replacing = await send(nonce + 1, '0x2', '0x2');
  await send(nonce, '0x0', '0x0');
  await eventually(
    'the replacement was not mined',
    async () => (await transaction(context, replacing)).blockNumber !== null,
  );
}

async function count(context: DemoContext, account: string, block: string): Promise<number> {
  return Number(await callRpc(context.nodeUrl, 'eth_getTransactionCount', [account, block]));
}

async function transaction(context: DemoContext, hash: string): Promise<SentTransaction> {
  return (await callRpc(context.nodeUrl, 'eth_getTransactionByHash', [hash])) as SentTransaction;
}
