import type { Consensus, Ledger, TransactionPool, ValidatorCandidates } from '@tetrad/node-ledger';
import type { PeerNetwork } from '@tetrad/node-peer';
import type { AsyncSender, TransactionSender } from '@tetrad/node-transactions';
import type { Address, Clock, Logger } from '@tetrad/types';

/** Bounds of what one call may ask for. */
export interface RpcLimits {
  /** Gas of eth_call, eth_estimateGas and eth_createAccessList. */
  readonly callGas: bigint;
  /** Logs of one answer. */
  readonly logs: number;
  /** Blocks of one eth_getLogs range. */
  readonly logBlocks: number;
  readonly filters: number;
  readonly filterExpiryMs: number;
  readonly subscriptionsPerConnection: number;
  /** Steps of a trace. */
  readonly traceSteps: number;
  /** Slots of an account dump. */
  readonly dumpSlots: number;
}

/** What the handlers stand on; built in `compose.ts`. */
export interface NodeParts {
  readonly ledger: Ledger;
  readonly pool: TransactionPool;
  readonly candidates: ValidatorCandidates;
  readonly peers: PeerNetwork;
  /** Absent on a node that takes no part in deciding on blocks. */
  readonly consensus: Consensus | undefined;
  readonly sender: TransactionSender;
  readonly asyncSender: AsyncSender;
  readonly identity: NodeIdentity;
  readonly limits: RpcLimits;
  readonly clock: Clock;
  readonly logger: Logger;
}

export interface NodeIdentity {
  /** `Tetrad/v0.1.0/linux-x64/node20.20.0`. */
  readonly clientVersion: string;
  /** Address of the node key. */
  readonly address: Address;
  /** 64 bytes of the node key's public key, as hex without 0x. */
  readonly nodeId: string;
  /** Namespaces that are exposed. */
  readonly modules: readonly string[];
}
