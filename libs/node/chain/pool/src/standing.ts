import type { AccountState } from '@tetrad/node-execution';

/**
 * Priority of a sender's transactions when the pool is full: those of a lower standing are evicted first.
 *
 * - unfunded: the account is empty, so an attacker can have any number of them;
 * - funded: some balance at the head;
 * - local: an account of this node, or a funded one whose transactions are submitted here and not at another node.
 */
export const STANDING = { unfunded: 0, funded: 1, local: 2 } as const;

export type Standing = (typeof STANDING)[keyof typeof STANDING];

/**
 * @param options.isOwn - whether it is an account of this node
 * @param options.isSubmittedHere - whether clients of this node submit for it
 */
export function standingOf(
  account: Pick<AccountState, 'balance'> | undefined,
  { isOwn, isSubmittedHere }: { readonly isOwn: boolean; readonly isSubmittedHere: boolean },
): Standing {
  if (isOwn) return STANDING.local;
  if (account === undefined || account.balance === 0n) return STANDING.unfunded;
  return isSubmittedHere ? STANDING.local : STANDING.funded;
}
