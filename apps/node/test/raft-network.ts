import { publicKeyFromPrivateKey } from '@tetrad/crypto';
import { defaultGenesis } from '@tetrad/node-execution';
import { developmentAccounts, freePorts } from '@tetrad/testkit';
import { CHAIN_ID, startNode, type RunningNode } from './running-node.js';
import type { TestEtcd } from './test-etcd.js';
import { keyOf, type Name } from './validator-chain.js';

/** Where the nodes of a raft network reach each other, and in which order they are given to each. */
export interface RaftNetworkPlan {
  readonly names: readonly Name[];
  readonly enodes: readonly string[];
  readonly ports: readonly number[];
}

const RAFT_PORT = 50_400;

export async function planRaftNetwork(names: readonly Name[]): Promise<RaftNetworkPlan> {
  const first = await freePorts(names.length);
  const ports = names.map((_, index) => first + index);
  const enodes = names.map((name, index) => {
    const nodeId = Buffer.from(publicKeyFromPrivateKey(keyOf(name))).toString('hex');
    return `enode://${nodeId}@127.0.0.1:${ports[index]}?discport=0&raftport=${RAFT_PORT + index}`;
  });
  return { names, enodes, ports };
}

/**
 * A node of the network in this process.
 * @param options.enodes - its configured members, in place of all of the network
 */
export function startRaftNode(
  etcd: Pick<TestEtcd, 'endpoints'>,
  plan: RaftNetworkPlan,
  name: Name,
  {
    enodes = plan.enodes,
    flags = [],
  }: { readonly enodes?: readonly string[]; readonly flags?: readonly string[] } = {},
): Promise<RunningNode> {
  const port = plan.ports[plan.names.indexOf(name)];
  const own = ['--etcd-endpoints', etcd.endpoints.join(), '--peer-listen-port', `${port}`];
  return startNode([...own, '--peers', enodes.join(), '--peer-exchange', 'false', ...flags], {
    modules: 'eth,net,web3,txpool,rpc,debug,admin,ibft,raft',
    genesis: raftGenesis(),
    nodeKey: keyOf(name),
  });
}

export function raftGenesis(): object {
  const funded = [...developmentAccounts(4, 'owner'), ...developmentAccounts(3, 'held')];
  const genesis = defaultGenesis({
    chainId: CHAIN_ID,
    engine: 'qbft',
    blockPeriodMs: 1_000,
    extraData: '0x',
    balances: new Map(funded.map(({ address }) => [address, 10n ** 24n])),
  });
  const config = { ...(genesis['config'] as object), qbft: undefined, raft: true };
  return { ...genesis, config };
}
