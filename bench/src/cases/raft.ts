import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { lackingForEtcd, startEtcdCluster } from '@tetrad/embedded-etcd';
import { percentile, presign } from '@tetrad/testkit';
import { hexFromBytes, parseAddress, silentLogger } from '@tetrad/types';
import { callRpc } from '../call-rpc.js';
import { LoadMaker, SENDERS, deployToken, measureLoad } from '../load.js';
import { costsOf, subtractCosts } from '../node-metrics.js';
import { CHAIN_ID, startNode, type BenchNode } from '../peers.js';
import { commandCpu } from '../process-cpu.js';
import type { BenchResult, Comparison } from '../report/result.js';

const NODES = 3;
const TRANSFERS = 15_000;
const BLOCK_TIME_MS = 50;
/** The engines in turns, so that changes in the load of the host affect both. */
const ROUNDS = 2;
/** Transactions one by one, at a rate that does not fill any block. */
const LIGHT = { count: 200, everyMs: 100, pollMs: 5 };

interface Measured {
  readonly transfers: number;
  readonly tokens: number;
  /** CPU seconds for each transaction and node. */
  readonly cpu: number;
  /** From submission to the receipt, in ms, at light load. */
  readonly times: readonly number[];
  /** CPU seconds of etcd for each transaction; 0 under validators. */
  readonly etcdCpu: number;
}

/** Three nodes whose blocks an etcd of three members orders, against three validators, on one host. */
export async function raft(): Promise<BenchResult> {
  const lacking = await lackingForEtcd();
  if (lacking !== undefined) throw new Error(`bench raft: ${lacking}`);
  const rounds: { readonly qbft: Measured; readonly raft: Measured }[] = [];
  for (let round = 0; round < ROUNDS; round++)
    rounds.push({ qbft: await measureValidators(), raft: await measureRaft() });
  const [ours, peer] = [mean(rounds.map((one) => one.raft)), mean(rounds.map((one) => one.qbft))];
  return {
    name: 'raft',
    comparisons: [
      against('transfers', { unit: 'tx/s', ours: ours.transfers, peer: peer.transfers, side: 'atLeast' }),
      against('token transfers', { unit: 'tx/s', ours: ours.tokens, peer: peer.tokens, side: 'atLeast' }),
      against('CPU of a transaction on a node', {
        unit: 'ms',
        ours: ours.cpu * 1000,
        peer: peer.cpu * 1000,
        side: 'atMost',
      }),
      lightly(ours.times),
    ],
    figures: [
      { what: 'submission to receipt at light load, p99', value: ms(percentile(ours.times, 0.99)) },
      { what: 'the same of three validators, median', value: ms(percentile(peer.times, 0.5)) },
      { what: 'CPU of a transaction, all of etcd', value: `${(ours.etcdCpu * 1000).toFixed(2)} ms` },
    ],
  };
}

async function measureValidators(): Promise<Measured> {
  const nodes = await startNode({ nodes: NODES });
  return measure(nodes, async () => 0).finally(() => nodes.stop());
}

async function measureRaft(): Promise<Measured> {
  const folder = await mkdtemp(join(tmpdir(), 'tetrad-bench-etcd-'));
  const etcd = await startEtcdCluster({ folder, members: 3, logger: silentLogger });
  try {
    const words = ['--consensus', 'raft', '--etcd-endpoints', etcd.endpoints.join()];
    const nodes = await startNode({ nodes: NODES, blockPeriodMs: BLOCK_TIME_MS, words });
    return await measure(nodes, () => commandCpu(`--data-dir=${folder}`)).finally(() => nodes.stop());
  } finally {
    await etcd.close();
    await rm(folder, { recursive: true, force: true });
  }
}

async function measure(node: BenchNode, readEtcd: () => Promise<number>): Promise<Measured> {
  const { token, nonces } = await deployToken(node.url);
  const maker = new LoadMaker(nonces);
  const [before, etcdBefore] = [await costsOf(node.network), await readEtcd()];
  const transfers = await measureLoad(node.url, maker.transfers(TRANSFERS), maker.reached());
  const tokens = await measureLoad(node.url, maker.tokenTransfers(TRANSFERS, token), maker.reached());
  const costs = subtractCosts(await costsOf(node.network), before);
  const etcdCpu = ((await readEtcd()) - etcdBefore) / (2 * TRANSFERS);
  return {
    transfers: transfers.transactionsPerSecond,
    tokens: tokens.transactionsPerSecond,
    cpu: costs.cpu / (2 * TRANSFERS) / NODES,
    etcdCpu,
    times: await measureLightly(node.url, maker.reached()[0] ?? 0),
  };
}

/** @returns for each transaction, the milliseconds from its submission to its receipt */
async function measureLightly(url: string, nonce: number): Promise<readonly number[]> {
  const [sender] = SENDERS;
  if (sender === undefined) throw new Error('no sender');
  const to = parseAddress(sender.address);
  const sent: Promise<number>[] = [];
  for (let index = 0; index < LIGHT.count; index++) {
    const plain = { gasLimit: 21_000, to, value: 1n, data: new Uint8Array(0), gasPrice: 0n };
    const raw = presign({ chainId: CHAIN_ID, nonce: nonce + index, ...plain }, sender.privateKey);
    sent.push(timeOf(url, hexFromBytes(raw)));
    await pause(LIGHT.everyMs);
  }
  return Promise.all(sent);
}

async function timeOf(url: string, raw: string): Promise<number> {
  const started = performance.now();
  const hash = await callRpc(url, 'eth_sendRawTransaction', [raw]);
  while ((await callRpc(url, 'eth_getTransactionReceipt', [hash])) === null) await pause(LIGHT.pollMs);
  return performance.now() - started;
}

function against(
  what: string,
  { unit, ours, peer, side }: Pick<Comparison, 'ours' | 'peer' | 'unit'> & { side: 'atLeast' | 'atMost' },
): Comparison {
  return {
    what,
    unit,
    ours,
    peer,
    peerName: 'three validators',
    ratio: ours / peer,
    target: { bound: 1, side },
  };
}

function lightly(times: readonly number[]): Comparison {
  const [ours, peer] = [percentile(times, 0.5), 4 * BLOCK_TIME_MS];
  return {
    what: 'submission to receipt at light load, median',
    unit: 'ms',
    ours,
    peer,
    peerName: 'four block times',
    ratio: ours / peer,
    target: { bound: 1, side: 'atMost' },
  };
}

function mean(all: readonly Measured[]): Measured {
  const of = (pick: (one: Measured) => number) => all.reduce((sum, one) => sum + pick(one), 0) / all.length;
  return {
    transfers: of((one) => one.transfers),
    tokens: of((one) => one.tokens),
    cpu: of((one) => one.cpu),
    etcdCpu: of((one) => one.etcdCpu),
    times: all.flatMap(({ times }) => times),
  };
}

const ms = (value: number) => `${value.toFixed(0)} ms`;

function pause(milliseconds: number): Promise<void> {
  return new Promise((done) => setTimeout(done, milliseconds));
}
