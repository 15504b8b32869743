import type { PermissionModel } from '@tetrad/node-permission-contracts';
import { RequestError } from '@tetrad/types';
import { checkAction, type PermissionAction } from '../src/operations/action.js';
import type { RecordCapacity } from '../src/records/permission-records.js';
import type { PendingItem } from '../src/records/pending-item.js';
import { NOTHING, POLICY, bankRecords } from './bank-network.js';

/** The reason for which the action is refused in the test network; `allowed` when it is not. */
export async function outcomeOf(
  action: PermissionAction,
  {
    model = 'v2',
    pending = NOTHING,
    isRaft = false,
    capacity = undefined as RecordCapacity | undefined,
  }: { model?: PermissionModel; pending?: PendingItem; isRaft?: boolean; capacity?: RecordCapacity } = {},
): Promise<string> {
  const context = {
    records: bankRecords(capacity),
    policy: POLICY,
    naming: { model, isRaft, raftHostNames: false },
    pendingItem: () => Promise.resolve(pending),
  };
  try {
    await checkAction(action, context);
    return 'allowed';
  } catch (error) {
    if (error instanceof RequestError) return error.code;
    throw error;
  }
}
