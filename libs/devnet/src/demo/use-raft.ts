import { join } from 'node:path';
import { lackingForEtcd } from '@tetrad/embedded-etcd';
import { freePorts, runLoad, type CallOutcome } from '@tetrad/testkit';
import { hexFromBytes } from '@tetrad/types';
import type { NetworkNode } from '../network/network-node.js';
import { parseNetworkOptions } from '../network/network-options.js';
import { startNetwork, type Network } from '../network/network.js';
import { PORTS_PER_NODE } from '../network/ports.js';
import { callRpc } from './call-rpc.js';
import { assert, type DemoContext, type StepResult } from './demo-context.js';
import { eventually } from './eventually.js';
import { minedOnce } from './mined-once.js';
import { presignTransfers } from './presign-transfers.js';

const TRANSFERS = 600;
const CONNECTIONS = 16;
/** The three first members, and the learner. */
const NODES = 4;

/** Starts a second network, whose blocks an etcd orders, adds a learner and promotes it, and kills the minter under load. */
export async function useRaft({ options, tell }: DemoContext): Promise<StepResult> {
  const lacking = await lackingForEtcd();
  if (lacking !== undefined) return { skipped: `raft on etcd: ${lacking}` };
  const portBase = await freePorts(NODES * PORTS_PER_NODE);
  const network = await startNetwork(
    parseNetworkOptions([
      '--consensus',
      'raft',
      '--services',
      'node',
      '--port-base',
      `${portBase}`,
      '--data-dir',
      join(options.dataDir, 'raft'),
    ]),
    { onProgress: (what) => tell(`raft: ${what}`) },
  );
  try {
    tell('raft: adding a learner, and promoting it');
    await addVoter(network);
    tell(`raft: killing the minter while ${TRANSFERS} transfers come`);
    return `three nodes whose blocks etcd orders; a fourth followed as a learner and was promoted; ${await loseMinter(network)}`;
  } finally {
    await network.stop();
  }
}

async function addVoter(network: Network): Promise<void> {
  const [first] = network.nodes as [NetworkNode];
  const learner = await network.join();
  await eventually(`${learner.name} is not a learner`, async () => (await roleOf(learner)) === 'learner');
  await eventually(`${learner.name} cannot be promoted`, async () => {
    return (await callRpc(first.rpc, 'raft_promoteToPeer', [NODES])) === true;
  });
  await eventually(`${learner.name} has no vote`, () => hasVote(learner));
}

/**
 * Kills the minter when half of the transfers are acknowledged, by a node that stays.
 * @returns what was shown
 */
async function loseMinter({ nodes }: Network): Promise<string> {
  const minter = await minterOf(nodes);
  const others = nodes.filter((node) => node !== minter);
  const [through] = others as [NetworkNode];
  const acknowledged: string[] = [];
  let killed: Promise<void> | undefined;
  const note = (_index: number, { result }: CallOutcome) => {
    if (typeof result === 'string') acknowledged.push(result);
    if (acknowledged.length === TRANSFERS / 2) killed ??= minter.kill();
  };
  const raws = await presignTransfers(through.rpc, TRANSFERS);
  const params = raws.map((raw) => [hexFromBytes(raw)]);
  const load = { url: through.rpc, connections: CONNECTIONS, method: 'eth_sendRawTransaction' };
  await runLoad(params, { ...load, onAnswer: note });
  await killed;
  assert(acknowledged.length === TRANSFERS, `${acknowledged.length} of ${TRANSFERS} were acknowledged`);
  const next = await minterOf(others);
  await minter.start();
  for (const node of nodes) await minedOnce(node.rpc, acknowledged);
  const height = await equalHeads(nodes);
  return (
    `the minter, ${minter.name}, was killed while ${TRANSFERS} transfers came; ${next.name} took over, every one of them ` +
    `is mined exactly once, and all four agree on block ${height}`
  );
}

const roleOf = ({ rpc }: NetworkNode) => callRpc(rpc, 'raft_role', []);
const hasVote = async (node: NetworkNode) => ['minter', 'verifier'].includes(String(await roleOf(node)));

async function minterOf(nodes: readonly NetworkNode[]): Promise<NetworkNode> {
  let minter: NetworkNode | undefined;
  await eventually('no node is minter', async () => {
    for (const node of nodes) if ((await roleOf(node)) === 'minter') minter = node;
    return minter !== undefined;
  });
  return minter as NetworkNode;
}

/** @returns the height at which all have the same block */
async function equalHeads(nodes: readonly NetworkNode[]): Promise<number> {
  let height = 0;
  await eventually('the nodes have different heads', async () => {
    const heads = await Promise.all(
      nodes.map(({ rpc }) => callRpc(rpc, 'eth_getBlockByNumber', ['latest', false])),
    );
    const [first, ...rest] = heads as { readonly hash: string; readonly number: string }[];
    height = Number(first?.number);
    return rest.every(({ hash }) => hash === first?.hash);
  });
  return height;
}
