import { ACCOUNT_STATUS, NODE_STATUS, ORG_STATUS } from '../records/entries.js';

/** Status of an organization, in words. */
export const ORG_WORDS: Readonly<Record<number, string>> = {
  [ORG_STATUS.proposed]: 'proposed, and not approved yet',
  [ORG_STATUS.approved]: 'approved',
  [ORG_STATUS.suspending]: 'approved, with a suspension that waits for approval',
  [ORG_STATUS.suspended]: 'suspended',
  [ORG_STATUS.reactivating]: 'suspended, with the end of the suspension waiting for approval',
};

/** Status of an account, in words. */
export const ACCOUNT_WORDS: Readonly<Record<number, string>> = {
  [ACCOUNT_STATUS.pending]: 'an admin that is not approved yet',
  [ACCOUNT_STATUS.active]: 'active',
  [ACCOUNT_STATUS.inactive]: 'inactive',
  [ACCOUNT_STATUS.suspended]: 'suspended',
  [ACCOUNT_STATUS.denylisted]: 'denylisted',
  [ACCOUNT_STATUS.revoked]: 'an admin that another one has replaced',
  [ACCOUNT_STATUS.recovering]: 'denylisted, with a recovery that waits for approval',
};

/** Status of a node, in words. */
export const NODE_WORDS: Readonly<Record<number, string>> = {
  [NODE_STATUS.proposed]: 'proposed, and not approved yet',
  [NODE_STATUS.approved]: 'approved',
  [NODE_STATUS.deactivated]: 'deactivated',
  [NODE_STATUS.denylisted]: 'denylisted',
  [NODE_STATUS.recovering]: 'denylisted, with a recovery that waits for approval',
};

/** In words; the number itself when contracts of others have one that is not defined. */
export function inWords(words: Readonly<Record<number, string>>, status: number): string {
  return words[status] ?? `in status ${status}`;
}
