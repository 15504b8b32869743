import type { AccountEvent } from './account-event.js';
import { changedBalances, type Account } from './account.js';

type EventOf<Kind extends AccountEvent['kind']> = Extract<AccountEvent, { readonly kind: Kind }>;

/** An operation on the account itself, but for where it is. */
export type AccountStep =
  | Omit<EventOf<'sent'>, 'totalIndex'>
  | Omit<EventOf<'redeemed'>, 'totalIndex'>
  | Omit<EventOf<'withdrawn'>, 'totalIndex'>
  | Omit<EventOf<'consentChanged'>, 'totalIndex'>
  | Omit<EventOf<'credited'>, 'totalIndex'>;

/** What of an account an operation changes. */
type Changing = Pick<Account, 'nonce' | 'redemptionIndex' | 'balances' | 'consent' | 'consentTerms'>;

/**
 * The account after an operation of its own, or a credit. It is not checked: a balance may become negative.
 *
 * @param account - before it
 * @param step - the operation, as its holder or a leaf says it
 * @returns the account with what it has then
 */
export function accountAfter<Before extends Changing>(account: Before, step: AccountStep): Before {
  if (step.kind === 'credited')
    return { ...account, balances: changedBalances(account, step.tokenId, step.amount) };
  const { nonce } = step;
  switch (step.kind) {
    case 'consentChanged':
      return { ...account, nonce, consent: step.consent, consentTerms: step.terms };
    case 'sent':
      return {
        ...account,
        nonce,
        balances: changedBalances(account, step.order.tokenId, -step.order.amount),
      };
    case 'withdrawn':
      return { ...account, nonce, balances: changedBalances(account, step.tokenId, -step.amount) };
    case 'redeemed': {
      const { order, orderIndex: redemptionIndex } = step;
      return {
        ...account,
        nonce,
        redemptionIndex,
        balances: changedBalances(account, order.tokenId, order.amount),
      };
    }
  }
}
