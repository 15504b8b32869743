import { runLoad, type CallOutcome } from '@tetrad/testkit';
import { hexFromBytes } from '@tetrad/types';
import type { DemoContext } from './demo-context.js';
import { minedOnce } from './mined-once.js';
import { presignTransfers } from './presign-transfers.js';

const TRANSACTIONS = 1_000;
const CONNECTIONS = 16;

/** Kills the node in the middle of load, starts it again, and checks that every acknowledged transaction is there. */
export async function crashNode(context: DemoContext): Promise<string> {
  const raws = await presignTransfers(context.nodeUrl, TRANSACTIONS);
  const abort = new AbortController();
  const acknowledged: string[] = [];
  const note = (_index: number, { result }: CallOutcome) => {
    if (typeof result === 'string') acknowledged.push(result);
    // Somewhere in the middle, with calls in progress and a block being built.
    if (acknowledged.length === TRANSACTIONS / 2) {
      abort.abort();
      void context.node.kill();
    }
  };
  const params = raws.map((raw) => [hexFromBytes(raw)]);
  const options = { url: context.nodeUrl, connections: CONNECTIONS, method: 'eth_sendRawTransaction' };
  await runLoad(params, { ...options, onAnswer: note, signal: abort.signal });
  await context.node.kill();
  await context.node.start();
  const blocks = await minedOnce(context.nodeUrl, acknowledged);
  return `the node was killed after ${acknowledged.length} acknowledged transactions; restarted, it has mined every one of them exactly once, in ${blocks} blocks`;
}
