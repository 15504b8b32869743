import type { ContractRepairs } from '@tetrad/node-agreement';
import type { AddressHistory, AddressIndexing } from '@tetrad/node-address-index';
import type { ContractExtensions } from '@tetrad/node-extension';
import type { Ledger, PendingState } from '@tetrad/node-ledger';
import type { PeerNetwork } from '@tetrad/node-peer';
import type { TransactionPool } from '@tetrad/node-pool';
import type { BlocksByAddress, ExecutionGate, WorkRunner } from '@tetrad/node-simulation';
import type { AsyncSender, TransactionSender } from '@tetrad/node-transactions';
import type { Clock, Logger } from '@tetrad/types';
import type { ChainReceipts, PrivateStateView } from '@tetrad/node-private-state';
import type { ChainEngine } from '../open/chain-engine.js';
import type { NodeIdentity } from '../open/node-identity.js';
import type { Ordering } from '../ordering/ordering.js';
import type { Permissions } from '../permissions/open-permissions.js';
import type { Agreement } from '../privacy/open-agreement.js';
import type { Privacy } from '../privacy/open-privacy.js';
import type { PrivateSending } from '../privacy/open-sending.js';

/** Limits of one call. */
export interface RpcLimits {
  /** Gas of eth_call and eth_createAccessList. */
  readonly callGas: bigint;
  /** Gas of each try of eth_estimateGas. */
  readonly estimateGas: bigint;
  /** Bytes of one answer; assembling an answer stops there. */
  readonly answerBytes: number;
  /** Logs of one answer. */
  readonly logs: number;
  /** Blocks of one eth_getLogs range. */
  readonly logBlocks: number;
  readonly filters: number;
  /** Of one caller: the subject of a token, or an address. */
  readonly filtersPerCaller: number;
  readonly filterExpiryMs: number;
  readonly subscriptionsPerConnection: number;
  /** Steps of a trace. */
  readonly traceSteps: number;
  /** Blocks of one search of traces. */
  readonly traceBlocks: number;
  /** Slots of an account dump. */
  readonly dumpSlots: number;
  /** Calls that may wait for a receipt at a time. */
  readonly waitingForReceipts: number;
  /** Time after which any call is answered with a time-out. */
  readonly requestTimeoutMs: number;
}

/** Dependencies of the handlers; built in `compose.ts`. */
export interface NodeParts {
  readonly ledger: Ledger;
  readonly pool: TransactionPool;
  /** The pool on top of the head. */
  readonly pending: PendingState;
  /** The chain with its consensus engine. */
  readonly engine: ChainEngine;
  readonly privacy: Privacy;
  readonly permissions: Permissions;
  /** Absent on a node without a transaction manager. */
  readonly privateState: PrivateStateView | undefined;
  /** Absent without --address-index. */
  readonly addressIndex: AddressIndexing | undefined;
  readonly addressHistory: AddressHistory | undefined;
  readonly blockIndex: BlocksByAddress | undefined;
  /** As clients of this node see them. */
  readonly receipts: ChainReceipts;
  readonly peers: PeerNetwork;
  /** Absent on a node that does not take part in consensus. */
  readonly ordering: Ordering | undefined;
  /** Absent on a node without a transaction manager. */
  readonly sending: PrivateSending | undefined;
  /** Absent on a node without a transaction manager. */
  readonly extensions: ContractExtensions | undefined;
  /** Absent on a node without a transaction manager. */
  readonly agreement: Agreement | undefined;
  /** Absent on a node without a transaction manager. */
  readonly repairs: ContractRepairs | undefined;
  readonly sender: TransactionSender;
  readonly asyncSender: AsyncSender;
  readonly identity: NodeIdentity;
  readonly limits: RpcLimits;
  /** Admits executions of clients. */
  readonly executions: ExecutionGate;
  /** Runs executions of clients on top of a state. */
  readonly runner: WorkRunner;
  readonly clock: Clock;
  readonly logger: Logger;
}
