import { setTimeout as pause } from 'node:timers/promises';
import { callRpc } from '../call-rpc.js';
import { trafficOf } from '../node-metrics.js';
import { startNode, type BenchNode } from '../peers.js';
import { databaseCpu, processCpu } from '../process-cpu.js';

/** Long enough for that many processes to agree on two cores. */
const BLOCK_PERIOD_MS = 2_000;
const WARM_UP_BLOCKS = 5;
const BLOCKS = 15;
const POLL_MS = 200;

/** What an empty block costs a network of so many validators. */
export interface ValidatorsPoint {
  readonly validators: number;
  /** CPU time of one node, its share of PostgreSQL included. Units: ms */
  readonly cpu: number;
  /** Consensus messages that one node receives. */
  readonly messages: number;
  /** Sent by all to their peers. Units: kB */
  readonly kilobytes: number;
}

interface Reading {
  readonly block: number;
  /** Units: s */
  readonly cpu: number;
  readonly messages: number;
  readonly bytes: number;
}

/** Validators with a process each and one PostgreSQL, all on this host. */
export async function measureValidators(validators: number): Promise<ValidatorsPoint> {
  process.stderr.write(`  ${validators} validators\n`);
  const node = await startNode({ nodes: validators, blockPeriodMs: BLOCK_PERIOD_MS });
  try {
    await waitForBlock(node, (await heightOf(node)) + WARM_UP_BLOCKS);
    const before = await readNetwork(node);
    await waitForBlock(node, before.block + BLOCKS);
    const after = await readNetwork(node);
    const blocks = after.block - before.block;
    return {
      validators,
      cpu: ((after.cpu - before.cpu) * 1_000) / blocks / validators,
      messages: (after.messages - before.messages) / blocks / validators,
      kilobytes: (after.bytes - before.bytes) / 1_000 / blocks,
    };
  } finally {
    await node.stop();
  }
}

async function readNetwork(node: BenchNode): Promise<Reading> {
  const { nodes } = node.network;
  const cpu = await Promise.all(nodes.map(({ pid }) => processCpu(pid)));
  const messages = await Promise.all(nodes.map(({ ports }) => trafficOf(`http://127.0.0.1:${ports.ops}`)));
  const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
  return {
    block: await heightOf(node),
    cpu: sum(cpu) + (await databaseCpu(node.folder)),
    messages: sum(messages.map((one) => one.consensus)),
    bytes: sum(messages.map((one) => one.bytes)),
  };
}

async function heightOf({ url }: BenchNode): Promise<number> {
  return Number(await callRpc(url, 'eth_blockNumber', []));
}

async function waitForBlock(node: BenchNode, number: number): Promise<void> {
  while ((await heightOf(node)) < number) await pause(POLL_MS);
}
