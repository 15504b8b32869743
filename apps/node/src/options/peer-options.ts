import {
  booleanOption,
  defineOptions,
  integerOption,
  listOption,
  listenOptions,
  option,
  pathOption,
  textOption,
} from '@tetrad/service';

const PEERS = 'Peers';
/** The peer port of the ports that all services agree on: docs/reference/options. */
const DEFAULT_PEER_PORT = 21_000;

/** How a node finds other nodes, and is found by them. */
export const peerOptions = defineOptions({
  ...listenOptions('peer', PEERS, {
    host: 'Address to listen on for other nodes, which authenticate with their node keys.',
    port: 'Port for other nodes; 0 chooses a free one.',
    defaultPort: DEFAULT_PEER_PORT,
  }),
  p2pHost: option(textOption('HOST'), {
    group: PEERS,
    description:
      'Host at which other nodes reach this one, part of its enode URL; default: the address above.',
  }),
  peers: option(listOption(textOption('ENODE')), {
    group: PEERS,
    description: 'Enode URLs of static peers.',
    default: [] as readonly string[],
  }),
  staticNodesFile: option(pathOption(), {
    group: PEERS,
    description:
      'JSON list of further enode URLs, as GoQuorum’s static-nodes.json; this node may be among them.',
  }),
  peerExchange: option(booleanOption(), {
    group: PEERS,
    description: 'Connect to nodes that peers announce.',
    default: true,
  }),
  maxPeers: option(integerOption({ min: 0, max: 10_000 }), {
    group: PEERS,
    description: 'Maximum number of connected nodes, not counting static ones.',
    default: 50,
  }),
  readyBlocksBehind: option(integerOption({ min: 1, max: 1_000_000 }), {
    group: PEERS,
    description: 'Blocks by which the node may be behind its peers and still be ready (/readyz).',
    default: 8,
    unit: 'blocks',
  }),
});
