import type { Address } from '@tetrad/types';
import { isNetworkAdmin, isOrgAdmin } from '../../records/admins.js';
import { unless, type Check } from '../action.js';

/** The caller is a network admin. */
export function byNetworkAdmin(caller: Address): Check {
  return ({ records, policy }) => unless(isNetworkAdmin(records, policy, caller), 'NOT_NETWORK_ADMIN');
}

/** The organization exists, and the caller is admin of it or of its master. */
export function byOrgAdmin(caller: Address, orgId: string): Check {
  return ({ records }) => {
    if (records.org(orgId) === undefined) return 'ORG_NOT_FOUND';
    return unless(isOrgAdmin(records, caller, orgId), 'NOT_ORG_ADMIN');
  };
}
