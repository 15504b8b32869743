import { eventually } from '@tetrad/devnet';
import { callRpc } from '../call-rpc.js';
import { LoadMaker, deployToken, measureLoad, type LoadReport } from '../load.js';
import { costsOf, subtractCosts, type NodeCosts } from '../node-metrics.js';
import { startNode, type BenchNode } from '../peers.js';
import type { BenchResult, Comparison, Figure } from '../report/result.js';

const VALIDATORS = 4;
const TRANSFERS = 25_000;
const TOKEN_TRANSFERS = 25_000;
const SHORT_PERIOD_MS = 250;
const EMPTY_BLOCKS_MS = 20_000;

interface LoadedChain {
  readonly transfers: LoadReport;
  readonly tokens: LoadReport;
  /** CPU seconds of all nodes together, without the load generator. */
  readonly costs: NodeCosts;
  /** CPU seconds for each transaction and node. */
  readonly cpuPerTransaction: number;
}

/** Four validators on this host against one: CPU per transaction, block rate and catching up. */
export async function network(): Promise<BenchResult> {
  const alone = await measureAlone();
  const four = await startNode({ nodes: VALIDATORS });
  try {
    const loaded = await loadChain(four);
    const catchingUp = await measureCatchingUp(four);
    await four.stop();
    const blocksPerSecond = await measureEmptyBlocks();
    return {
      name: 'network',
      comparisons: [
        {
          what: 'CPU of a transaction on a node',
          unit: 'ms',
          ours: loaded.cpuPerTransaction * 1000,
          peer: alone.cpuPerTransaction * 1000,
          peerName: 'a single validator',
          ratio: loaded.cpuPerTransaction / alone.cpuPerTransaction,
          target: { bound: 1.25, side: 'atMost' },
        },
        emptyBlocks(blocksPerSecond),
        catchingUp,
      ],
      figures: [
        rate('four validators, transfers', loaded.transfers),
        rate('four validators, token transfers', loaded.tokens),
        rate('one validator, transfers', alone.transfers),
        rate('one validator, token transfers', alone.tokens),
        shares(loaded.costs),
      ],
    };
  } finally {
    await four.stop();
  }
}

async function measureAlone(): Promise<LoadedChain> {
  const node = await startNode();
  return loadChain(node).finally(() => node.stop());
}

async function loadChain(node: BenchNode): Promise<LoadedChain> {
  const { token, nonces } = await deployToken(node.url);
  const maker = new LoadMaker(nonces);
  const before = await costsOf(node.network);
  const transfers = await measureLoad(node.url, maker.transfers(TRANSFERS), maker.reached());
  const tokens = await measureLoad(node.url, maker.tokenTransfers(TOKEN_TRANSFERS, token), maker.reached());
  const costs = subtractCosts(await costsOf(node.network), before);
  const { length } = node.network.nodes;
  return { transfers, tokens, costs, cpuPerTransaction: costs.cpu / (TRANSFERS + TOKEN_TRANSFERS) / length };
}

/** A new node imports the blocks of the validators, against the time that producing them took. */
async function measureCatchingUp({ url, network: net }: BenchNode): Promise<Comparison> {
  const timeOf = async (number: string) =>
    Number(
      ((await callRpc(url, 'eth_getBlockByNumber', [number, false])) as { timestamp: string }).timestamp,
    );
  const head = Number(await callRpc(url, 'eth_blockNumber', []));
  const produced = (await timeOf(`0x${head.toString(16)}`)) - (await timeOf('0x1'));
  const started = performance.now();
  const follower = await net.join();
  await eventually(`the follower does not reach ${head}`, async () => {
    return Number(await callRpc(follower.rpc, 'eth_blockNumber', [])) >= head;
  });
  const imported = (performance.now() - started) / 1000;
  return {
    what: `catching up with ${head} blocks, including node start`,
    unit: 'blocks/s',
    ours: head / imported,
    peer: head / produced,
    peerName: 'as they were produced',
    ratio: produced / imported,
    target: { bound: 3, side: 'atLeast' },
  };
}

async function measureEmptyBlocks(): Promise<number> {
  const nodes = await startNode({ nodes: VALIDATORS, blockPeriodMs: SHORT_PERIOD_MS });
  try {
    const heightOf = async () => Number(await callRpc(nodes.url, 'eth_blockNumber', []));
    const first = await heightOf();
    const started = performance.now();
    await new Promise((done) => setTimeout(done, EMPTY_BLOCKS_MS));
    return ((await heightOf()) - first) / ((performance.now() - started) / 1000);
  } finally {
    await nodes.stop();
  }
}

function emptyBlocks(blocksPerSecond: number): Comparison {
  const limit = 1000 / SHORT_PERIOD_MS;
  return {
    what: `empty blocks at --block-period ${SHORT_PERIOD_MS}`,
    unit: 'blocks/s',
    ours: blocksPerSecond,
    peer: limit,
    peerName: 'the period',
    ratio: blocksPerSecond / limit,
    target: { bound: 3.5 / limit, side: 'atLeast' },
  };
}

function rate(what: string, { transactionsPerSecond }: LoadReport): Figure {
  return { what, value: `${transactionsPerSecond.toFixed(0)} tx/s` };
}

/** Execution, hashing and storage are measured from begin to end, including the wait for other work. */
function shares(costs: NodeCosts): Figure {
  const { execution, hashing, storage, consensus, network: peers } = costs;
  const rest = Math.max(costs.cpu - execution - hashing - consensus - peers, 0);
  const parts = {
    execution,
    hashing,
    storage,
    consensus,
    network: peers,
    'RPC, senders of transactions and the rest': rest,
  };
  const sum = Object.values(parts).reduce((total, part) => total + part, 0);
  const value = Object.entries(parts)
    .map(([name, seconds]) => `${name} ${((seconds / sum) * 100).toFixed(0)} %`)
    .join(', ');
  return { what: 'time spent by four validators', value };
}
