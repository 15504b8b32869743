import { type Address, ZERO_ADDRESS } from '@tetrad/types';
import { isNetworkAdmin, isOrgAdmin } from '../../records/access.js';
import { unless, type Check } from '../action.js';

/** The caller is a network admin. */
export function byNetworkAdmin(caller: Address): Check {
  return ({ records, policy }) => unless(isNetworkAdmin(records, policy, caller), 'NOT_NETWORK_ADMIN');
}

/** The organization is there, and the caller is admin of it or of its master. */
export function byOrgAdmin(caller: Address, orgId: string): Check {
  return ({ records }) => {
    if (records.org(orgId) === undefined) return 'ORG_NOT_FOUND';
    return unless(isOrgAdmin(records, caller, orgId), 'NOT_ORG_ADMIN');
  };
}

/** All of the texts and addresses are given: neither empty nor zero. */
export function given(...values: readonly (string | Address)[]): Check {
  return () =>
    unless(
      values.every((value) => value !== '' && value !== ZERO_ADDRESS),
      'INVALID_INPUT',
    );
}

/** The number is one of those that the action has. */
export function actionAmong(action: number, allowed: readonly number[]): Check {
  return () => unless(allowed.includes(action), 'OPERATION_NOT_ALLOWED');
}
