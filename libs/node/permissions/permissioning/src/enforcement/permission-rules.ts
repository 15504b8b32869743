import type { Executor, Genesis, MayTransact, TransactionBarrier } from '@tetrad/node-execution';
import type { IsAllowed, NodeId } from '@tetrad/node-peer';
import type { Address, Logger, Metrics } from '@tetrad/types';
import { enforcementSwitch } from '../config/enforcement-switch.js';
import type { PermissionConfig } from '../config/permission-config.js';
import type { PermissionView } from '../following/permission-view.js';
import type { NodeLists } from '../node-lists/node-lists.js';
import { recordPermission, submissionRule } from './barriers.js';
import { ConnectionGate } from './connection-gate.js';
import { connectionRule } from './connection-rule.js';
import { ContractPermission } from './contract-permission.js';
import { explainedPermission } from './explained-permission.js';

/** The rules that every node of the chain must apply alike, by the state before a block. */
export interface ChainPermissions {
  /** For each transaction of a block; undefined where blocks are not checked. */
  readonly ofBlocks: MayTransact | undefined;
  /** For each transaction behind a privacy marker; undefined without contracts. */
  readonly behindMarkers: MayTransact | undefined;
}

/**
 * Chooses the rules of a chain.
 * @param config - undefined without permission contracts
 */
export function chainPermissions(
  config: PermissionConfig | undefined,
  {
    genesis,
    executor,
  }: {
    readonly genesis: Pick<Genesis, 'chainId' | 'consensus' | 'permissioningBlock'>;
    readonly executor: Pick<Executor, 'rules'>;
  },
): ChainPermissions {
  if (config === undefined) return { ofBlocks: undefined, behindMarkers: undefined };
  const { chainId } = genesis;
  // Two instances, since private state asks about blocks that are not the newest.
  const byContracts = () =>
    new ContractPermission({ executor, chainId, config, isEnforced: enforcementSwitch(genesis) }).mayTransact;
  // The first model does not apply to blocks.
  return { ofBlocks: config.model === 'v2' ? byContracts() : undefined, behindMarkers: byContracts() };
}

/** The rules of this node alone: with whom it connects, and what it takes from clients and peers. */
export interface NodePermissions {
  /** Whether it connects with a node, and takes its messages. */
  readonly isAllowed: IsAllowed;
  /** For each transaction that enters the pool: the rule of blocks under the second model. A refusal names what decided. */
  readonly mayEnterPool?: MayTransact;
  /** For each sender whose client submits to this node. */
  readonly submissionBarrier?: (sender: Address) => TransactionBarrier | undefined;
}

export interface NodePermissionParts {
  /** Undefined where lists of nodes alone decide. */
  readonly view:
    | Pick<PermissionView, 'config' | 'hasCaughtUp' | 'isEnforced' | 'isInForce' | 'model' | 'records'>
    | undefined;
  readonly lists: Pick<NodeLists, 'allows'>;
  readonly ownId: NodeId;
  readonly ofBlocks: MayTransact | undefined;
}

/** Chooses the rules of a node that enforces permissions. */
export function nodePermissions(
  { view, lists, ownId, ofBlocks }: NodePermissionParts,
  { logger, metrics }: { readonly logger: Logger; readonly metrics: Metrics },
): NodePermissions {
  const rule: IsAllowed =
    view === undefined ? ({ nodeId }) => lists.allows(nodeId) : connectionRule({ view, lists });
  const { isAllowed } = new ConnectionGate({ ownId, rule, logger }, metrics);
  if (view === undefined) return { isAllowed };
  const poolRule = view.model === 'v1' ? recordPermission(view) : ofBlocks;
  return {
    isAllowed,
    submissionBarrier: submissionRule(view, ownId),
    ...(poolRule && { mayEnterPool: explainedPermission(poolRule, view) }),
  };
}
