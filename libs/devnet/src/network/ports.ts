/** Ports of one node. */
export interface NodePorts {
  readonly rpc: number;
  readonly ops: number;
  readonly peer: number;
}

/** Ports of the private transaction manager of one node. */
export interface ManagerPorts {
  readonly rpc: number;
  readonly ops: number;
  readonly peer: number;
}

/** Ports of a service beside the nodes. */
export interface ServicePorts {
  readonly rpc: number;
  readonly ops: number;
}

/** Ports from those of one node to those of the next when there is a base; other services use the ones that the node does not need. */
export const PORT_STEP = 10;
/** Ports to keep free for each node of a network with a base: its own, and one of its manager behind those of all nodes. */
export const PORTS_PER_NODE = 2 * PORT_STEP;

/** The default ports, or those of the base: see the help of `--port-base`. */
export function nodePorts(base: number | undefined, index: number): NodePorts {
  if (base === undefined) return { rpc: 22_000 + index, ops: 22_100 + index, peer: 21_000 + index };
  const first = base + index * PORT_STEP;
  return { rpc: first, ops: first + 1, peer: first + 4 };
}

export function managerPorts(base: number | undefined, index: number): ManagerPorts {
  if (base === undefined) return { rpc: 9_080 + index, ops: 9_380 + index, peer: 9_180 + index };
  const first = base + index * PORT_STEP;
  return { rpc: first + 7, ops: first + 8, peer: first + 9 };
}

/** Places among the ten ports behind those of all nodes that a node which joins later, and its manager, do not need. */
const THIRD_PARTY_PLACES = [2, 3, 5, 6];

/** The port of a manager for applications; with a base, behind the ports of the nodes of block 0. */
export function thirdPartyPort(
  base: number | undefined,
  { nodes, index }: { readonly nodes: number; readonly index: number },
): number {
  if (base === undefined) return 9_280 + index;
  // Services have the usual places among the ports of the second node, which is not there.
  if (nodes === 1) return base + PORT_STEP + 7;
  const tens = nodes + Math.floor(index / THIRD_PARTY_PLACES.length);
  return base + tens * PORT_STEP + (THIRD_PARTY_PLACES[index % THIRD_PARTY_PLACES.length] ?? 0);
}

export function signerPorts(base: number | undefined): ServicePorts {
  return base === undefined ? { rpc: 8_545, ops: 8_546 } : { rpc: base + 2, ops: base + 3 };
}

/** The ten ports of the first node are all taken: with a base these are among the ten of the second one. */
export function rollupOperatorPorts(base: number | undefined): ServicePorts {
  return base === undefined ? { rpc: 6_010, ops: 6_011 } : { rpc: base + 12, ops: base + 13 };
}

export function walletPorts(base: number | undefined): ServicePorts {
  return base === undefined ? { rpc: 9_000, ops: 9_001 } : { rpc: base + 5, ops: base + 6 };
}

/** Ports of the page; with a base, as those of the rollup operator, among the ten of the second node. */
export function consolePorts(base: number | undefined): ServicePorts {
  return base === undefined ? { rpc: 7_070, ops: 7_071 } : { rpc: base + 15, ops: base + 16 };
}

/** GoQuorum's own raft port, and those after it: parts of enode URLs; no process listens on them. */
export const FIRST_RAFT_PORT = 50_400;
