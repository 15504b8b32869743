import type { SigningKey } from '@tetrad/crypto';
import type { Ledger } from '@tetrad/node-ledger';
import { parseEnode, type Enode, type PeerNetwork } from '@tetrad/node-peer';
import { permissionViews } from '@tetrad/node-permission-contracts';
import { NetworkBoot, hasReached, type BootPlan, type PermissionView } from '@tetrad/node-permissioning';
import type { TransactionPool } from '@tetrad/node-pool';
import type { ServiceEnvironment } from '@tetrad/service';
import { systemClock } from '@tetrad/types';
import type { NodeConfig } from '../options/config.js';
import type { NodeModule } from '../open/node-module.js';
import type { RaftOrdering } from '../ordering/ordering.js';
import { readStaticNodes } from '../open/static-nodes.js';
import { nodeKeySender } from './node-key-sender.js';
import type { Permissions } from './open-permissions.js';
import { forbiddenMembers } from './remove-forbidden-members.js';

/** How often is checked whether the node has caught up. */
const LOOK_MS = 500;

export interface PermissionedNetwork {
  readonly permissions: Permissions;
  readonly ledger: Ledger;
  readonly pool: TransactionPool;
  readonly peers: PeerNetwork;
  readonly nodeKey: SigningKey;
  /** On a raft chain. */
  readonly raft: RaftOrdering | undefined;
}

/** Closes connections that are no longer permitted, and sets up the network's permissions unless that was done. */
export async function setUpNetwork(
  config: NodeConfig,
  environment: ServiceEnvironment,
  network: PermissionedNetwork,
): Promise<NodeModule<undefined>> {
  const { permissions, peers, ledger, raft } = network;
  const { isAllowed, view, onListed } = permissions;
  const nothing = { parts: undefined, readiness: {}, close: () => Promise.resolve() };
  if (isAllowed === undefined) return nothing;
  onListed(() => peers.dropForbidden());
  if (view === undefined) return nothing;
  const staticNodes = await readStaticNodes(config.peers, config.staticNodesFile);
  const boot = networkBoot(environment, { ...network, view, staticNodes });
  const { nodeId } = parseEnode(peers.enode);
  const { logger } = environment;
  const removeMembers = raft && forbiddenMembers({ view, raft, nodeId, logger });
  const forget = ledger.onBlock(() => {
    void removeMembers?.();
    peers.dropForbidden();
    void boot.look();
  });
  const isAlone = staticNodes.every((node) => node.nodeId === nodeId);
  const stop = untilCaughtUp({ view, peers, ledger, isAlone }, () => void boot.look());
  return {
    parts: undefined,
    // Until then every account may transact, and no client should take it for a permissioned network.
    readiness: { permissionedNetwork: () => boot.trouble() },
    async close() {
      forget();
      stop();
    },
  };
}

interface BootParts extends PermissionedNetwork {
  readonly view: PermissionView;
  readonly staticNodes: readonly Enode[];
}

function networkBoot(
  { logger }: ServiceEnvironment,
  { view, staticNodes, peers, ...network }: BootParts,
): NetworkBoot {
  const { config, records, isRaft, model } = view;
  const { networkBootStatus } = permissionViews(model);
  const plan: BootPlan = { config, isRaft, nodes: adminNodes([...staticNodes, parseEnode(peers.enode)]) };
  return new NetworkBoot({
    plan,
    records,
    logger,
    sender: nodeKeySender({ ...network, to: config.addresses.interface }),
    areContractsThere: async () => (await (await view.atHead()).ask(networkBootStatus)) !== undefined,
    hasCaughtUp: () => view.hasCaughtUp,
  });
}

/** Nodes in the form of the contracts, without duplicates. */
function adminNodes(enodes: readonly Enode[]): BootPlan['nodes'] {
  const nodes = enodes.map(({ nodeId, host, port, raftport }) => ({
    enodeId: nodeId,
    ip: host,
    port,
    raftPort: raftport ?? 0,
  }));
  return [...new Map(nodes.map((node) => [node.enodeId, node])).values()];
}

/**
 * Calls back once the node is in sync with its peers.
 * @returns cancels that
 */
function untilCaughtUp(
  { view, peers, ledger, isAlone }: Pick<BootParts, 'view' | 'peers' | 'ledger'> & { isAlone: boolean },
  onReached: () => void,
): () => void {
  let cancel: () => void = () => undefined;
  const look = () => {
    if (!hasReached(ledger.head().header.number, peers.peers(), { isAlone })) {
      cancel = systemClock.schedule(LOOK_MS, look);
      return;
    }
    view.noteCaughtUp();
    peers.dropForbidden();
    onReached();
  };
  look();
  return () => cancel();
}
