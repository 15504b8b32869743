import type { Address } from '@tetrad/types';
import type { RecordKind } from '../../records/permission-records.js';
import { unless, type Check } from '../action.js';

/** The organization has room for another entry, within the share of its master. Entries without room have no permission. */
export function roomInRecords(kind: RecordKind, orgId: string): Check {
  return ({ records }) => unless(records.hasRoomFor(kind, orgId), 'ORG_SHARE_REACHED');
}

/** The same for an account, which may be there already. */
export function roomForAccount(orgId: string, account: Address): Check {
  return (context) =>
    context.records.account(account) === undefined ? roomInRecords('accounts', orgId)(context) : undefined;
}
