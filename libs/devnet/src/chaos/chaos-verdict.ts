import { runLoad } from '@tetrad/testkit';
import { callRpc } from '../demo/call-rpc.js';
import { allMined } from '../network/all-mined.js';
import type { NetworkNode } from '../network/network-node.js';

const CONNECTIONS = 8;
const AT_A_TIME = 200;

/** The state that the nodes agree on at the end. */
export interface ChaosVerdict {
  readonly height: number;
  readonly minedTransactions: number;
}

interface BlockView {
  readonly hash: string;
  readonly transactions: readonly string[];
}

/** @throws naming the acknowledged transaction that is lost, or the block in which two nodes differ */
export async function check(
  nodes: readonly NetworkNode[],
  acknowledged: ReadonlySet<string>,
): Promise<ChaosVerdict> {
  await Promise.all(nodes.map(({ rpc }) => allMined(rpc, acknowledged)));
  const heights = await Promise.all(nodes.map(heightOf));
  const height = Math.min(...heights);
  const mined = await compareChains(nodes, height);
  for (const hash of acknowledged) {
    const times = mined.get(hash) ?? 0;
    if (times !== 1) throw new Error(`${hash} was acknowledged and is in the chain ${times} times`);
  }
  return { height, minedTransactions: mined.size };
}

async function heightOf({ rpc }: NetworkNode): Promise<number> {
  return Number(await callRpc(rpc, 'eth_blockNumber', []));
}

/** @returns how often each transaction is in the chain that all nodes have */
async function compareChains(nodes: readonly NetworkNode[], height: number): Promise<Map<string, number>> {
  const mined = new Map<string, number>();
  for (let from = 0; from <= height; from += AT_A_TIME) {
    const numbers = Array.from(
      { length: Math.min(AT_A_TIME, height + 1 - from) },
      (_, index) => from + index,
    );
    const chains = await Promise.all(nodes.map((node) => readBlocks(node, numbers)));
    numbers.forEach((number, index) => {
      const hashes = new Set(chains.map((blocks) => blocks[index]?.hash));
      if (hashes.size !== 1) throw new Error(`a fork: block ${number} is ${[...hashes].join(' and ')}`);
      for (const hash of chains[0]?.[index]?.transactions ?? []) mined.set(hash, (mined.get(hash) ?? 0) + 1);
    });
  }
  return mined;
}

async function readBlocks({ rpc }: NetworkNode, numbers: readonly number[]): Promise<BlockView[]> {
  const outcomes = await runLoad(
    numbers.map((number) => [`0x${number.toString(16)}`, false]),
    { url: rpc, connections: CONNECTIONS, method: 'eth_getBlockByNumber' },
  );
  return outcomes.map(({ result }) => result as BlockView);
}
