import type { PermissionModel, PermissionNode, PermissionOperation } from '@tetrad/node-permission-contracts';
import type { PendingItem } from '../records/pending-item.js';
import type { PermissionRecords } from '../records/permission-records.js';
import type { PermissionPolicy } from '../records/policy.js';
import { actionRejection, type ActionRejection } from './rejection-texts.js';

/** How nodes of the network are named. */
export interface NodeNaming {
  readonly model: PermissionModel;
  /** Whether consensus is raft, so that nodes have a raft port. */
  readonly isRaft: boolean;
  /** Whether nodes of raft may be named by host (docs/adr/0066). */
  readonly raftHostNames: boolean;
}

/** Input of the checks of an action. */
export interface ActionContext {
  readonly records: PermissionRecords;
  readonly policy: PermissionPolicy;
  readonly naming: NodeNaming;
  /** The pending item, read only by the checks that need it. */
  readonly pendingItem: () => Promise<PendingItem>;
}

/** One rule: the reason for a rejection, or undefined. */
export type Check = (
  context: ActionContext,
) => ActionRejection | undefined | Promise<ActionRejection | undefined>;

/** An action that an admin requests: its rules in the order in which they are checked, and the call to send when all hold. */
export interface PermissionAction {
  readonly checks: readonly Check[];
  readonly operation: (node: (url: string) => PermissionNode) => PermissionOperation;
}

/** @throws RequestError of the first rule that does not hold */
export async function checkAction({ checks }: PermissionAction, context: ActionContext): Promise<void> {
  for (const check of checks) {
    const reason = await check(context);
    if (reason !== undefined) throw actionRejection(reason);
  }
}

/** The reason, unless the condition holds. */
export function unless(holds: boolean, reason: ActionRejection): ActionRejection | undefined {
  return holds ? undefined : reason;
}
