import type { MayTransact, TransactionBarrier, TransactionIntent } from '@tetrad/node-execution';
import type { PermissionRule, TransactionKind } from '../explanation/explanation.js';
import { checkTransaction } from '../explanation/check-account.js';
import type { PermissionView } from '../following/permission-view.js';

type Records = Pick<PermissionView, 'records' | 'config'>;

/**
 * The same decisions, for pools: a refusal names the rule for the client, as `chainPermission_explain` does. Blocks are checked
 * without it, since a rule is read from the records of this node.
 */
export function explainedPermission(mayTransact: MayTransact, view: Records): MayTransact {
  return (transaction, place) => {
    const barrier = mayTransact(transaction, place);
    if (barrier instanceof Promise) return barrier.then((late) => late && named(late, transaction, view));
    return barrier && named(barrier, transaction, view);
  };
}

function named(
  barrier: TransactionBarrier,
  transaction: TransactionIntent,
  { records, config }: Records,
): TransactionBarrier {
  const rules = { records, policy: config, model: config.model };
  const { rule, isAllowed } = checkTransaction(rules, transaction.sender, kindOf(transaction));
  const decided: PermissionRule = isAllowed ? 'CONTRACTS_DIFFER' : rule;
  return { ...barrier, data: { rule: decided } };
}

function kindOf({ to, data }: TransactionIntent): TransactionKind {
  if (to === undefined) return 'deploy';
  return data.length > 0 ? 'call' : 'transfer';
}
