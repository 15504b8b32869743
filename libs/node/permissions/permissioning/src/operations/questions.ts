import { permissionDecisions } from '@tetrad/node-permission-contracts';
import { ZERO_ADDRESS, type Address } from '@tetrad/types';
import { accessAllows, accessOf, isNodeApproved } from '../records/access.js';
import { contractNodeUrl, nodeIdIn, type ContractNode } from '../records/node-url.js';
import { readEnode } from './enode-url.js';
import type { PermissionedState } from './permissioned-state.js';

/** A transaction whose permission is queried. */
export interface IntendedTransaction {
  readonly sender: Address;
  /** Absent for a deployment. */
  readonly to?: Address | undefined;
  readonly value: bigint;
  /** Units: wei */
  readonly gasPrice: bigint;
  readonly gas: bigint;
  readonly data: Uint8Array;
}

/** Whether the sender is permitted to send it; true while permissions are not enforced. */
export async function isTransactionAllowed(
  state: PermissionedState,
  { sender, to, value, gasPrice, gas, data }: IntendedTransaction,
): Promise<boolean> {
  if (!state.isInForce) return true;
  if (state.config.model === 'v1')
    return accessAllows(accessOf(state.records, state.config, sender), to === undefined);
  const contracts = await state.atHead();
  const { transactionAllowed } = permissionDecisions;
  const target = to ?? ZERO_ADDRESS;
  return (await contracts.ask(transactionAllowed, sender, target, value, gasPrice, gas, data)) ?? false;
}

/**
 * Whether a node may connect, enforced or not. Under the first model by its id alone, which may be given as a whole URL;
 * under the second by id and address, as the contracts compare them.
 */
export async function isConnectionAllowed(state: PermissionedState, node: ContractNode): Promise<boolean> {
  if (state.config.model === 'v1') return isNodeApproved(state.records, nodeIdIn(node.enodeId) ?? '');
  const enode = readEnode(contractNodeUrl(node, state.isRaft && node.raftPort !== 0));
  if (enode === undefined) return false;
  const contracts = await state.atHead();
  const { connectionAllowed } = permissionDecisions;
  return (await contracts.ask(connectionAllowed, enode.nodeId, enode.host, enode.port)) ?? false;
}
