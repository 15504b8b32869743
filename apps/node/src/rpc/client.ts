import type { PeerInfo, adminMethods, netMethods, rpcMethods, web3Methods } from '@tetrad/api-node';
import { keccakHash } from '@tetrad/crypto';
import { EnodeError, formatEndpoint, parseEnode, type Enode, type PeerInfo as Peer } from '@tetrad/node-peer';
import type { Handlers } from '@tetrad/rpc';
import { RequestError } from '@tetrad/types';
import type { NodeIdentity } from '../open/node-identity.js';
import type { NodeParts } from './node-parts.js';

type ClientMethods = typeof web3Methods & typeof netMethods & typeof rpcMethods & typeof adminMethods;

/** Names of the engines in GoQuorum's admin_nodeInfo. */
const CONSENSUS_NAMES = { qbft: 'istanbul', ibft: 'istanbul', raft: 'raft' } as const;

/** Capability that names the peer protocol and its version. */
const CAPABILITY = 'p2p/v1';

/** web3, net, rpc and admin: methods about this node and its peers, not about its chain. */
export function clientHandlers({
  ledger,
  identity,
  peers,
}: Pick<NodeParts, 'identity' | 'ledger' | 'peers'>): Handlers<ClientMethods> {
  const chainId = ledger.genesis.chainId.toString();
  return {
    web3_clientVersion: () => identity.clientVersion,
    web3_sha3: ([data]) => keccakHash(data),
    net_version: () => chainId,
    net_listening: () => true,
    net_peerCount: () => peers.peers().length,
    rpc_modules: () => Object.fromEntries(modulesOf(identity).map((name) => [name, '1.0'])),
    admin_nodeInfo: () => viewNode({ ledger, identity, peers }),
    admin_peers() {
      const localAddress = formatEndpoint(parseEnode(peers.enode));
      return peers
        .peers()
        .map((peer) => viewPeer(peer, { localAddress, isTrusted: peers.isTrusted(peer.nodeId) }));
    },
    admin_addTrustedPeer: ([url]) => peers.trustPeer(readEnode(url).nodeId),
    admin_removeTrustedPeer([url]) {
      peers.distrustPeer(readEnode(url).nodeId);
      return true;
    },
    admin_datadir: () => identity.dataDir,
    admin_addPeer: ([url]) => peers.addPeer(readEnode(url)),
    admin_removePeer: ([url]) => peers.removePeer(readEnode(url).nodeId),
  };
}

/** The node id of Ethereum clients besides the enode URL. */
function enodeHash(nodeId: string): string {
  return keccakHash(Buffer.from(nodeId, 'hex')).slice(2);
}

/** Exposed namespaces, and the other names under which they are served. */
function modulesOf({ modules, aliases }: NodeIdentity): string[] {
  const others = aliases.filter(({ from, to }) => modules.includes(to) && !from.includes('_'));
  return [...new Set([...modules, ...others.map(({ from }) => from)])].sort();
}

async function viewNode({ ledger, identity, peers }: Pick<NodeParts, 'identity' | 'ledger' | 'peers'>) {
  const { number } = ledger.head().header;
  const { nodeId, host, port } = parseEnode(peers.enode);
  return {
    enode: peers.enode,
    id: enodeHash(nodeId),
    ip: host,
    listenAddr: formatEndpoint({ host, port }),
    name: identity.clientVersion,
    ports: { discovery: 0, listener: port },
    protocols: {
      eth: {
        network: Number(ledger.genesis.chainId),
        difficulty: Number(ledger.totalDifficulty(number)),
        genesis: (await ledger.findBlock(0))?.hash,
        config: identity.chainConfig,
        head: ledger.head().hash,
        consensus: CONSENSUS_NAMES[ledger.genesis.consensus.engine],
      },
    },
  };
}

function viewPeer(
  peer: Peer,
  { localAddress, isTrusted }: { readonly localAddress: string; readonly isTrusted: boolean },
): PeerInfo {
  const { nodeId, enode, name, protocol, direction, remoteAddress, isStatic, head } = peer;
  return {
    enode,
    id: enodeHash(nodeId),
    name,
    caps: [CAPABILITY],
    network: {
      localAddress,
      remoteAddress,
      inbound: direction === 'inbound',
      // Static nodes may always connect too.
      trusted: isStatic || isTrusted,
      static: isStatic,
    },
    protocols: head === undefined ? {} : { eth: { version: protocol, head: head.hash, number: head.number } },
  };
}

/** @throws RequestError INVALID_ENODE with geth's text */
function readEnode(url: string): Enode {
  try {
    return parseEnode(url);
  } catch (error) {
    if (error instanceof EnodeError)
      throw new RequestError('INVALID_ENODE', `invalid enode: ${error.message}`);
    throw error;
  }
}
