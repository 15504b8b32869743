import { setTimeout as pause } from 'node:timers/promises';
import type { IdleWords } from '../bench-words.js';
import { callRpc } from '../call-rpc.js';
import { residentMemory } from '../node-metrics.js';
import { startNode, type BenchNode } from '../peers.js';
import { databaseCpu, processCpu } from '../process-cpu.js';
import type { BenchResult, Figure } from '../report/result.js';

const VALIDATORS = 4;
const BLOCK_PERIOD_MS = 1_000;
/** Time after the start that is not measured, in which code is compiled. */
const WARM_UP_MS = 20_000;
const SAMPLES = 10;
const MAX_CPU_MS = 20;
const MAX_MEMORY_MB = 150;

interface Sample {
  readonly block: number;
  /** CPU seconds of all nodes, and of PostgreSQL with its processes. */
  readonly nodes: number;
  readonly database: number;
  /** Bytes, of the largest node. */
  readonly memory: number;
}

/** Four validators without transactions: what an empty block costs a node, and how much memory it takes, over time. */
export async function idle({ durationMs }: IdleWords): Promise<BenchResult> {
  const node = await startNode({ nodes: VALIDATORS, blockPeriodMs: BLOCK_PERIOD_MS });
  try {
    await pause(WARM_UP_MS);
    const samples = [await sample(node)];
    for (let count = 0; count < SAMPLES; count += 1) {
      await pause(durationMs / SAMPLES);
      samples.push(await sample(node));
    }
    return report(samples, durationMs);
  } finally {
    await node.stop();
  }
}

async function sample({ url, network, folder }: BenchNode): Promise<Sample> {
  const pids = network.nodes.map(({ pid }) => pid);
  const cpu = await Promise.all(pids.map(processCpu));
  const memory = await Promise.all(pids.map(residentMemory));
  return {
    block: Number(await callRpc(url, 'eth_blockNumber', [])),
    nodes: cpu.reduce((sum, one) => sum + one, 0),
    database: await databaseCpu(folder),
    memory: Math.max(...memory.map((bytes) => bytes ?? NaN)),
  };
}

function report(samples: readonly Sample[], durationMs: number): BenchResult {
  const [first, last] = [samples[0] as Sample, samples.at(-1) as Sample];
  const blocks = last.block - first.block;
  const perBlock = (seconds: number) => (seconds * 1_000) / blocks / VALIDATORS;
  const ofNode = perBlock(last.nodes - first.nodes);
  const ofDatabase = perBlock(last.database - first.database);
  const memory = last.memory / 1e6;
  return {
    name: 'idle',
    comparisons: [
      {
        what: 'CPU of an empty block on a node',
        unit: 'ms',
        ours: ofNode + ofDatabase,
        peer: MAX_CPU_MS,
        peerName: `${MAX_CPU_MS} ms`,
        ratio: (ofNode + ofDatabase) / MAX_CPU_MS,
        target: { bound: 1, side: 'atMost' },
      },
      {
        what: 'memory of a node at the end',
        unit: 'MB',
        ours: memory,
        peer: MAX_MEMORY_MB,
        peerName: `${MAX_MEMORY_MB} MB`,
        ratio: memory / MAX_MEMORY_MB,
        target: { bound: 1, side: 'atMost' },
      },
    ],
    figures: [
      {
        what: 'of which',
        value: `the process ${ofNode.toFixed(1)} ms, PostgreSQL ${ofDatabase.toFixed(1)} ms`,
      },
      { what: 'blocks', value: `${blocks} in ${(durationMs / 1_000).toFixed(0)} s` },
      overTime('CPU by tenth, ms', samples),
      { what: 'memory by tenth, MB', value: samples.map((one) => (one.memory / 1e6).toFixed(0)).join(' ') },
    ],
  };
}

function overTime(what: string, samples: readonly Sample[]): Figure {
  const costs = samples.slice(1).map((one, place) => {
    const before = samples[place] as Sample;
    const seconds = one.nodes + one.database - before.nodes - before.database;
    return ((seconds * 1_000) / Math.max(one.block - before.block, 1) / VALIDATORS).toFixed(1);
  });
  return { what, value: costs.join(' ') };
}
