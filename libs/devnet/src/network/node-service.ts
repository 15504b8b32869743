import { withDatabaseName } from '@tetrad/db';
import { callRpc } from '../demo/call-rpc.js';
import { makeNodeFiles, type NodeFiles } from './node-files.js';
import { replaceOptions, type NodeOption } from './node-options.js';
import { NetworkNode } from './network-node.js';
import { wantedPorts, type NetworkBase, type NetworkLinks, type NetworkService } from './network-service.js';
import { permitJoining, permitNodes } from './permissions.js';
import { FIRST_RAFT_PORT, nodePorts } from './ports.js';
import { managerKey, managerUrl, thirdPartyUrl } from './transaction-manager.js';

/** The validators of block 0. */
export const nodeService: NetworkService<NetworkNode> = {
  ports({ nodes, portBase }) {
    return Array.from({ length: nodes }, (_, index) => {
      const { rpc, ops, peer } = nodePorts(portBase, index);
      return wantedPorts(`node${index}`, { 'JSON-RPC': rpc, operations: ops, peers: peer });
    }).flat();
  },
  databases: ({ nodes }) => Array.from({ length: nodes }, (_, index) => databaseName(index)),
  async open(base) {
    const nodes: NetworkNode[] = [];
    for (const [index, files] of base.files.nodes.entries())
      nodes.push(await openNode(base, { files, index, managerUrl: managerOf(base, index) }));
    await writeStaticNodes(nodes, base.links);
    return nodes;
  },
  settle: async (nodes, base, start) => {
    if (base.options.permissioned) await permitNodes(nodes, base, start);
  },
  endpoints: async (nodes, base) => ({
    nodes: await Promise.all(nodes.map((node, index) => describe(node, index, base))),
    // The administrator's, which can read the databases of all services.
    database: { url: withDatabaseName(base.databases.url, databaseName(0)) },
  }),
  rows: ({ nodes }) =>
    nodes.map(({ name, rpc, ws, accounts }) => [name, `${rpc}  ${ws}  account ${accounts.join(', ')}`]),
};

/**
 * A node that is not a validator, or a learner, without a manager, on the chain of the others.
 * @param further - its options, which replace those of every node with the same flags
 */
export async function openJoiningNode(
  base: NetworkBase,
  others: readonly NetworkNode[],
  further: readonly NodeOption[],
): Promise<NetworkNode> {
  const index = others.length;
  const files = await makeNodeFiles(base.options.dataDir, index);
  const node = await openNode(base, { files, index, managerUrl: undefined, further });
  await node.writeStaticNodes(others.map(({ enode }) => enode));
  if (base.options.permissioned) await permitJoining(node, others, base.options);
  const [other] = others;
  // Under raft it is ready once it is a member.
  if (base.etcdEndpoints !== undefined && other !== undefined)
    await callRpc(other.rpc, 'raft_addLearner', [node.enode]);
  return node;
}

async function openNode(
  { options, databases, links, files: network, etcdEndpoints, onEnded }: NetworkBase,
  one: {
    readonly files: NodeFiles;
    readonly index: number;
    readonly managerUrl: string | undefined;
    readonly further?: readonly NodeOption[];
  },
): Promise<NetworkNode> {
  const { files, index, managerUrl: manager, further = [] } = one;
  return new NetworkNode({
    files,
    managerUrl: manager,
    genesisFile: network.genesisFile,
    passwordFile: network.passwordFile,
    isLinked: links.linkPort !== undefined,
    dataDir: options.dataDir,
    raft: etcdEndpoints && {
      etcdEndpoints,
      blockPeriodMs: options.blockPeriodMs,
      port: FIRST_RAFT_PORT + index,
    },
    further: replaceOptions(options.nodeOptions, further),
    ports: nodePorts(options.portBase, index),
    databaseUrl: await databases.open(databaseName(index)),
    onEnded: (how) => onEnded?.(files.name, how),
  });
}

const databaseName = (index: number) => `tetrad_node${index}`;

function managerOf({ options }: NetworkBase, index: number): string | undefined {
  return options.services.includes('transaction-manager') ? managerUrl(options.portBase, index) : undefined;
}

/** Each gets the list of all others. */
async function writeStaticNodes(nodes: readonly NetworkNode[], { linkPort }: NetworkLinks): Promise<void> {
  for (const [from, node] of nodes.entries()) {
    const enodes = nodes.map((other, to) =>
      linkPort === undefined || from === to ? other.enode : other.enodeAt(linkPort(from, to)),
    );
    await node.writeStaticNodes(enodes);
  }
}

async function describe(node: NetworkNode, index: number, base: NetworkBase) {
  const { options } = base;
  const ptm = managerOf(base, index) ?? null;
  return {
    name: node.name,
    rpc: node.rpc,
    ws: `ws://127.0.0.1:${node.ports.rpc}`,
    p2p: `http://127.0.0.1:${node.ports.peer}`,
    ptm,
    ptmKey: ptm === null ? null : ((await managerKey(node.files)) ?? null),
    ...(ptm === null
      ? {}
      : { ptmThirdParty: thirdPartyUrl(options.portBase, { nodes: options.nodes, index }) }),
    enode: node.enode,
    address: node.files.address,
    accounts: [node.files.account],
    pid: node.pid,
  };
}
