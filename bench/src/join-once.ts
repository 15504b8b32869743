import { readFile } from 'node:fs/promises';
import { callRpc } from './call-rpc.js';
import { processCpu } from './process-cpu.js';
import { VALIDATOR_KEY, heightOf, startOnChain, type WrittenChain } from './written-chain.js';

/** Blocks by which a serving node's time of a block is measured without a node that joins. */
const QUIET_BLOCKS = 20;
const POLL_MS = 200;

/** What a node took to validate new blocks. */
export interface Joined {
  readonly seconds: number;
  /** Largest memory of its process. */
  readonly megabytes: number;
  /** Seconds between two blocks of the node that served, meanwhile and before. */
  readonly blockSeconds: number;
  readonly quietSeconds: number;
  /** CPU seconds of the node that joins, and of the one that serves, without PostgreSQL. */
  readonly cpu: number;
  readonly servingCpu: number;
}

/**
 * A new node joins the chain from a node that serves it.
 * @param databaseUrl - an empty database
 */
export async function joinOnce(
  chain: WrittenChain,
  databaseUrl: string,
  sync: 'state' | 'full',
): Promise<Joined> {
  const name = `serving-${sync}`;
  const serving = await startOnChain(chain, chain.url, { name, key: VALIDATOR_KEY, flags: [] });
  const now = { isJoined: false, isEnded: false };
  try {
    const quietSeconds = await secondsOfBlocks(serving.url, (blocks) => blocks >= QUIET_BLOCKS);
    const { enode } = (await callRpc(serving.url, 'admin_nodeInfo', [])) as { enode: string };
    const before = await processCpu(serving.process.pid);
    const [began, first] = [performance.now(), (await heightOf(serving.url)) ?? 0];
    const meanwhile = secondsOfBlocks(serving.url, (blocks) => now.isEnded || (now.isJoined && blocks > 0));
    process.stderr.write(`  joining with --sync ${sync}\n`);
    const flags = ['--sync', sync, '--history', 'none', '--peers', enode];
    // It answers once the state is there.
    const joining = await startOnChain(chain, databaseUrl, {
      name: `joining-${sync}`,
      key: '51'.repeat(32),
      flags,
    });
    try {
      // It validates new blocks once it has one that was not there when it began.
      while (((await heightOf(joining.url)) ?? 0) <= first)
        await new Promise((tick) => setTimeout(tick, POLL_MS));
      const seconds = (performance.now() - began) / 1_000;
      now.isJoined = true;
      const megabytes = await largestMemory(joining.process.pid);
      const cpu = await processCpu(joining.process.pid);
      const servingCpu = (await processCpu(serving.process.pid)) - before;
      return { seconds, megabytes, blockSeconds: await meanwhile, quietSeconds, cpu, servingCpu };
    } finally {
      await joining.process.stop();
    }
  } finally {
    now.isEnded = true;
    await serving.process.stop();
  }
}

/**
 * Watches the blocks of a node.
 * @param isOver - asked after each look, with the number of blocks since the first one that came
 * @returns seconds from one block to the next; NaN when fewer than two came
 */
async function secondsOfBlocks(url: string, isOver: (blocks: number) => boolean): Promise<number> {
  let height = (await heightOf(url)) ?? 0;
  const seen: { readonly height: number; readonly ms: number }[] = [];
  for (;;) {
    const newest = (await heightOf(url)) ?? height;
    if (newest > height) seen.push({ height: newest, ms: performance.now() });
    height = newest;
    const [first, last] = [seen[0], seen.at(-1)];
    const blocks = (last?.height ?? 0) - (first?.height ?? 0);
    if (isOver(blocks)) return ((last?.ms ?? 0) - (first?.ms ?? 0)) / 1_000 / blocks;
    await new Promise((tick) => setTimeout(tick, POLL_MS));
  }
}

/** Linux; 0 elsewhere. Units: MB */
async function largestMemory(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  return Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1] ?? 0) / 1_024;
}
