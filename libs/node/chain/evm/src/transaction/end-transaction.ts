import type { Rules } from '../forks/rules.js';
import type { Journal } from '../world/journal.js';

/** Takes away what the transaction destroyed and left empty, and makes the rest final. */
export function endTransaction(journal: Journal, { noEmptyAccounts }: Rules): void {
  const { transaction, destroyed, touched } = journal;
  for (const account of destroyed) if (account.destroyedIn === transaction) account.remove();
  if (noEmptyAccounts) {
    for (const account of touched) if (account.exists && account.isEmpty) account.remove();
  }
  journal.next();
}
