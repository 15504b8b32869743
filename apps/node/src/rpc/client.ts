import type { adminMethods, netMethods, rpcMethods, web3Methods } from '@tetrad/api-node';
import { keccakHash } from '@tetrad/crypto';
import type { Handlers } from '@tetrad/rpc';
import type { NodeParts } from './node-parts.js';

/** web3, net, rpc and admin: what this node is, not what its chain holds. */
export function clientHandlers({
  ledger,
  identity,
}: NodeParts): Handlers<typeof web3Methods & typeof netMethods & typeof rpcMethods & typeof adminMethods> {
  const chainId = ledger.genesis.chainId.toString();
  return {
    web3_clientVersion: () => identity.clientVersion,
    web3_sha3: ([data]) => keccakHash(data),
    net_version: () => chainId,
    // Peers come with the consensus network; a lone validator listens for none.
    net_listening: () => false,
    net_peerCount: () => 0,
    rpc_modules: () => Object.fromEntries(identity.modules.map((name) => [name, '1.0'])),
    admin_nodeInfo: () => ({
      enode: `enode://${identity.nodeId}@${identity.host}:${identity.peerPort}?discport=0`,
      id: keccakHash(Buffer.from(identity.nodeId, 'hex')).slice(2),
      ip: identity.host,
      listenAddr: `${identity.host}:${identity.peerPort}`,
      name: identity.clientVersion,
      ports: { discovery: 0, listener: identity.peerPort },
      protocols: {
        eth: {
          network: Number(ledger.genesis.chainId),
          head: ledger.head().hash,
          consensus: ledger.genesis.consensus.engine,
        },
      },
    }),
    admin_peers: () => [],
  };
}
