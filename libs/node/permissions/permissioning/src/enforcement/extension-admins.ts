import type { Address } from '@tetrad/types';
import type { PermissionView } from '../following/permission-view.js';
import { isAdminAccount } from '../records/access.js';

/**
 * Admins for extensions of contracts: all accounts until permissions are enforced (docs/spec/contract-extension.md#admins).
 * @param view - undefined where no permissions are enforced
 */
export function extensionAdmins(view: Pick<PermissionView, 'records' | 'isInForce' | 'config'> | undefined) {
  return {
    isAdmin: async (account: Address): Promise<boolean> =>
      view?.isInForce !== true || isAdminAccount(view.records, view.config, account),
  };
}
