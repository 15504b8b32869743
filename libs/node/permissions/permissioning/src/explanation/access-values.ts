import type { PermissionModel } from '@tetrad/node-permission-contracts';
import type { TransactionKind } from './explanation.js';

/** The access values of roles that permit a kind of transaction (docs/spec/permissions.md#values). */
const PERMITTING: Readonly<Record<PermissionModel, Readonly<Record<TransactionKind, readonly number[]>>>> = {
  v1: { transfer: [1, 2, 3], call: [1, 2, 3], deploy: [2, 3] },
  v2: { transfer: [1, 3, 5, 6], call: [3, 4, 5, 7], deploy: [2, 3, 6, 7] },
};

/** Whether a role of that access permits the kind of transaction. */
export function accessPermits(access: number, kind: TransactionKind, model: PermissionModel): boolean {
  return PERMITTING[model][kind].includes(access);
}

/** The values that would do, such as `1, 3, 5 or 6`. */
export function permittingValues(kind: TransactionKind, model: PermissionModel): string {
  const values = PERMITTING[model][kind];
  return `${values.slice(0, -1).join(', ')} or ${values.at(-1)}`;
}
