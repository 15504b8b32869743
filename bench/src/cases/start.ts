import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { callRpc } from '../call-rpc.js';
import { LoadMaker, measureLoad } from '../load.js';
import { startNode } from '../peers.js';
import type { BenchResult } from '../report/result.js';

const BLOCKS = 10_000;
const BATCH = 500;

/** A chain of 10,000 blocks: time until a fresh process serves its head, against executing it all again. */
export async function start(): Promise<BenchResult> {
  const node = await startNode({ blockPeriodMs: 10 });
  try {
    const transactions = await growChain(node.url);
    const [first] = node.network.nodes;
    if (first === undefined) throw new Error('the network has no node');
    await first.stop();
    const { command, args, environment } = first.verifyCommand;
    const again = performance.now();
    await promisify(execFile)(command, [...args], { env: { ...process.env, ...environment } });
    const reExecution = (performance.now() - again) / 1000;
    const from = performance.now();
    await first.start();
    await callRpc(node.url, 'eth_getBlockByNumber', ['latest', false]);
    const served = (performance.now() - from) / 1000;
    return {
      name: 'start',
      comparisons: [
        {
          what: `head of ${BLOCKS} blocks served`,
          unit: 's',
          ours: served,
          peer: reExecution,
          peerName: 're-execution from genesis',
          ratio: served / reExecution,
          target: { bound: 0.05, side: 'atMost' },
        },
      ],
      figures: [{ what: 'transactions in the chain', value: String(transactions) }],
    };
  } finally {
    await node.stop();
  }
}

/** Sends transactions until the chain is long enough. */
async function growChain(url: string): Promise<number> {
  const maker = new LoadMaker();
  let transactions = 0;
  for (;;) {
    const head = Number(await callRpc(url, 'eth_blockNumber', []));
    if (head >= BLOCKS) return transactions;
    process.stderr.write(`\r  ${head}/${BLOCKS} blocks`);
    await measureLoad(url, maker.transfers(BATCH), maker.reached());
    transactions += BATCH;
    await new Promise((tick) => setTimeout(tick, 1_000));
  }
}
