import type { NetworkNode } from '../network/network-node.js';
import { callRpc } from './call-rpc.js';
import { assert, type DemoContext } from './demo-context.js';
import { eventually } from './eventually.js';

/** Time in which a network with a quorum makes a block, whichever validator proposes. */
const STANDSTILL_MS = 12_000;
/** Blocks that may still come when the second validator has stopped: one agreed on, and one it was ahead with. */
const UNDER_WAY = 2;

/** Stops one of four validators, then a second; blocks go on, then stop; starts both, and they go on. */
export async function stopValidators(context: DemoContext): Promise<string> {
  const [first, second, third, fourth] = context.network.nodes;
  if (first === undefined || second === undefined || third === undefined || fourth === undefined)
    return 'with fewer than four validators none can be spared: nothing to show';
  await fourth.stop();
  const withThree = await growBy(first, 3);
  await third.stop();
  const [stoodAt, reads] = await standsStill([first, second]);
  await Promise.all([third.start(), fourth.start()]);
  await growBy(first, 3, stoodAt);
  const height = await agree([first, second, third, fourth]);
  return (
    `with one of four validators down the chain grew to ${withThree}; with two down it stood at ${stoodAt} ` +
    `while ${reads} reads were answered; with all four up it goes on, and all agree on block ${height}`
  );
}

async function heightOf({ rpc }: NetworkNode): Promise<number> {
  return Number(await callRpc(rpc, 'eth_blockNumber', []));
}

/** @returns the height that was reached */
async function growBy(node: NetworkNode, blocks: number, from?: number): Promise<number> {
  const target = (from ?? (await heightOf(node))) + blocks;
  await eventually(`the chain does not reach block ${target}`, async () => (await heightOf(node)) >= target);
  return target;
}

/** @returns the height, and how many reads were answered meanwhile */
async function standsStill(nodes: readonly NetworkNode[]): Promise<[number, number]> {
  const before = Math.max(...(await Promise.all(nodes.map(heightOf))));
  let [height, since, reads] = [before, Date.now(), 0];
  while (Date.now() < since + STANDSTILL_MS) {
    const heights = await Promise.all(nodes.map(heightOf));
    reads += heights.length;
    const highest = Math.max(...heights);
    assert(highest <= before + UNDER_WAY, 'two of four validators go on making blocks');
    if (highest > height) [height, since] = [highest, Date.now()];
    await new Promise((tick) => setTimeout(tick, 100));
  }
  return [height, reads];
}

/**
 * Checks that all nodes have the same block at their lowest height.
 * @returns that height
 */
async function agree(nodes: readonly NetworkNode[]): Promise<number> {
  const target = Math.max(...(await Promise.all(nodes.slice(0, 2).map(heightOf))));
  for (const node of nodes)
    await eventually(
      `${node.files.name} does not reach ${target}`,
      async () => (await heightOf(node)) >= target,
    );
  const blocks = await Promise.all(
    nodes.map(({ rpc }) => callRpc(rpc, 'eth_getBlockByNumber', [`0x${target.toString(16)}`, false])),
  );
  const hashes = new Set((blocks as { hash: string }[]).map(({ hash }) => hash));
  assert(hashes.size === 1, `there are ${hashes.size} blocks with number ${target}`);
  return target;
}
