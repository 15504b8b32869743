import {
  permissionViews,
  type PermissionModel,
  type PermissionView,
} from '@tetrad/node-permission-contracts';
import type { Address } from '@tetrad/types';
import type { PendingItem } from '../records/pending-item.js';
import type { PermissionRecords } from '../records/permission-records.js';
import type { PermissionPolicy } from '../records/policy.js';
import { actionFailure } from './rejection-texts.js';

/** The contracts in one state. */
export interface AskedContracts {
  /** Calls a view; undefined without a valid answer. */
  ask<Parameters extends readonly unknown[], Value>(
    view: PermissionView<Parameters, Value>,
    ...parameters: Parameters
  ): Promise<Value | undefined>;
}

/** Input of actions and queries: the permissions of the network at the head. */
export interface PermissionedState {
  readonly config: PermissionPolicy & {
    readonly model: PermissionModel;
    readonly addresses: { readonly interface: Address };
  };
  readonly records: PermissionRecords;
  readonly isRaft: boolean;
  /** Whether permissions are enforced on top of the head by the genesis file. */
  readonly isEnforced: boolean;
  /** Whether permissions are enforced, and the network is set up. */
  readonly isInForce: boolean;
  /** Number of the head. */
  readonly block: number;
  atHead(): Promise<AskedContracts>;
}

/**
 * The pending item at the head.
 * @throws RequestError when the contracts give no answer
 */
export async function pendingItemAtHead(state: PermissionedState): Promise<PendingItem> {
  const { model, networkAdminOrg } = state.config;
  const contracts = await state.atHead();
  const item = await contracts.ask(permissionViews(model).pendingOperation, networkAdminOrg);
  if (item === undefined) throw actionFailure('the permission contracts do not answer');
  return item;
}
