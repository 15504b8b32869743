import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { parseNodeId } from '@tetrad/node-peer';
import {
  NodeListError,
  NodeLists,
  PermissionContractError,
  PermissionView,
  enforcementSwitch,
  nodePermissions,
  type NodePermissions,
} from '@tetrad/node-permissioning';
import type { ServiceEnvironment } from '@tetrad/service';
import { OperatorError, systemClock, type Logger } from '@tetrad/types';
import type { NodeConfig } from '../options/config.js';
import type { NodeModule } from '../open/node-module.js';
import type { OpenChain } from '../open/open-chain.js';
import { PERMISSION_CONFIG_FILE } from './read-permission-config.js';

/** Restrictions on connecting, submitting and transacting; empty without `--permissioned`. */
export interface Permissions extends Partial<NodePermissions> {
  /** The state of the contracts; absent where node lists alone decide. */
  readonly view?: PermissionView;
  /** The nodes in the files; absent without `--permissioned`. */
  readonly lists?: Pick<NodeLists, 'allows'>;
  /** Calls the listener when the nodes in the files change. */
  readonly onListed: (listener: () => void) => void;
}

interface PermissionSurroundings {
  readonly chain: OpenChain;
  /** Node id of this node, 128 hex digits. */
  readonly nodeId: string;
}

/**
 * Opens the restrictions of the node.
 * @throws OperatorError naming the file or the contract that cannot be used
 */
export async function openPermissions(
  config: NodeConfig,
  environment: ServiceEnvironment,
  { chain, nodeId }: PermissionSurroundings,
): Promise<NodeModule<Permissions>> {
  const listeners: (() => void)[] = [];
  const onListed = (listener: () => void) => void listeners.push(listener);
  if (!config.permissioned) {
    warnUnprotected(chain, environment.logger);
    const readiness = unusedConfig(config, environment.logger);
    return { parts: { onListed }, readiness, close: () => Promise.resolve() };
  }
  const lists = await openLists(config, environment, () => listeners.forEach((listener) => listener()));
  try {
    const view = await openView(environment, chain, lists);
    const { ofBlocks } = chain.chainPermissions;
    const rules = nodePermissions({ view, lists, ownId: parseNodeId(nodeId), ofBlocks }, environment);
    return {
      parts: { ...rules, ...(view && { view }), lists, onListed },
      readiness: {
        // The list that was read last stays in force.
        nodeLists: { class: 'rollout', check: () => lists.trouble() },
        // The same on all nodes.
        permissions: { class: 'operators', check: () => view?.trouble() },
      },
      close: () => lists.stop(),
    };
  } catch (error) {
    await lists.stop();
    throw error;
  }
}

/**
 * The restrictions of a node that has no state yet, in which contracts could name nodes: those of the files in its data folder.
 * @throws OperatorError naming the file that cannot be used
 */
export async function openListedPermissions(
  config: NodeConfig,
  environment: ServiceEnvironment,
  nodeId: string,
): Promise<{ readonly isAllowed: Permissions['isAllowed']; close(): Promise<void> }> {
  if (!config.permissioned) return { isAllowed: undefined, close: () => Promise.resolve() };
  const lists = await openLists(config, environment, () => undefined);
  const parts = { view: undefined, lists, ownId: parseNodeId(nodeId), ofBlocks: undefined };
  const { isAllowed } = nodePermissions(parts, environment);
  return { isAllowed, close: () => lists.stop() };
}

async function openLists(
  { dataDir }: NodeConfig,
  { logger }: ServiceEnvironment,
  onChange: () => void,
): Promise<NodeLists> {
  const lists = new NodeLists({ folder: dataDir, clock: systemClock, logger, onChange });
  await lists.start().catch(asOperatorError);
  return lists;
}

/** @returns undefined without a permission-config.json */
async function openView(
  { logger, metrics }: ServiceEnvironment,
  { ledger, genesis, permissionConfig }: OpenChain,
  lists: NodeLists,
): Promise<PermissionView | undefined> {
  if (permissionConfig === undefined) return undefined;
  return PermissionView.open({
    chain: ledger,
    config: permissionConfig,
    lists,
    logger,
    metrics,
    isRaft: genesis.consensus.engine === 'raft',
    isEnforcedAfter: enforcementSwitch(genesis),
  }).catch(asOperatorError);
}

function asOperatorError(error: unknown): never {
  if (error instanceof NodeListError || error instanceof PermissionContractError)
    throw new OperatorError(error.message, { cause: error });
  throw error;
}

/**
 * An operator that put the file there expects it to be enforced. The node still starts, since the file is distributed
 * before nodes are started with the option, but is not ready, so that it is not mistaken for a permissioned node.
 */
function unusedConfig({ dataDir }: NodeConfig, logger: Logger): NodeModule<Permissions>['readiness'] {
  if (!existsSync(join(dataDir, PERMISSION_CONFIG_FILE))) return {};
  const trouble = `${PERMISSION_CONFIG_FILE} is in the data folder, and is not enforced without --permissioned`;
  logger.warn(trouble, { folder: dataDir });
  return { permissions: () => trouble };
}

/** A genesis file with permissions is only enforced with the option. */
function warnUnprotected({ genesis }: OpenChain, logger: Logger): void {
  const { permissioningBlock, consensus } = genesis;
  const { transitions } = consensus;
  if (permissioningBlock === undefined && !transitions.some((one) => one.enhancedPermissioning === true))
    return;
  logger.warn('the genesis file has permissions enforced, and this node does not without --permissioned');
}
