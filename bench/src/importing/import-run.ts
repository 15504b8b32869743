import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { residentMemory } from '../node-metrics.js';
import type { BenchNode } from '../peers.js';
import { processCpu } from '../process-cpu.js';

const SAMPLE_MS = 100;

/** A program that has ended with exit code 0. */
export interface EndedProgram {
  readonly seconds: number;
  /** Of the process, up to its last sample. Units: CPU seconds */
  readonly cpu: number;
  /** Resident memory of the process, sampled at even intervals. Units: MB */
  readonly memory: readonly number[];
  /** The end of what it wrote to standard error. */
  readonly log: string;
}

const LOG_CHARACTERS = 10_000;

/**
 * Runs a program until it ends, and samples its CPU and memory.
 *
 * @throws Error with the end of its standard error, when the exit code is not 0
 */
export async function runProgram(
  command: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<EndedProgram> {
  const from = performance.now();
  const child = spawn(command, [...args], {
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let log = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (log = (log + text).slice(-LOG_CHARACTERS)));
  let cpu = 0;
  const memory: number[] = [];
  const timer = setInterval(() => {
    const pid = child.pid ?? 0;
    // A process that has just ended has no times any more.
    void processCpu(pid).then((seconds) => (cpu = Math.max(cpu, seconds)));
    void residentMemory(pid).then((bytes) => bytes && memory.push(bytes / 1e6));
  }, SAMPLE_MS);
  const [code] = (await once(child, 'close').finally(() => clearInterval(timer))) as [number | null];
  if (code !== 0) throw new Error(`${command} ended with exit code ${code}: ${log}`);
  return { seconds: (performance.now() - from) / 1000, cpu, memory, log };
}

/** The first node of a network, and the command that verifies its chain. */
export function firstNode({ network }: BenchNode) {
  const [first] = network.nodes;
  if (first === undefined) throw new Error('the network has no node');
  return { first, ...first.verifyCommand };
}

/** A file of blocks, and where it is imported to. */
export interface ImportRequest {
  readonly file: string;
  /** Of an empty database. */
  readonly url: string;
  readonly commitBlocks?: number;
}

/** Imports a file with the program, genesis file and keys of the first node. */
export async function runImport(
  node: BenchNode,
  { file, url, commitBlocks }: ImportRequest,
): Promise<EndedProgram> {
  const { command, args } = firstNode(node);
  const [main = ''] = args;
  const flags = ['--genesis-file', genesisFile(node), '--data-dir', node.folder, '--migrate', 'true'];
  const commit = commitBlocks === undefined ? [] : ['--commit-blocks', String(commitBlocks)];
  return runProgram(command, [main, 'import-chain', file, ...flags, ...commit], {
    TETRAD_NODE_DATABASE_URL: url,
  });
}

/** @returns the path of the genesis file of the node's network */
export function genesisFile(node: BenchNode): string {
  const { args } = firstNode(node);
  return args[args.indexOf('--genesis-file') + 1] ?? '';
}
