import { accountHash, type ProvedAccount, type RejectionReason } from '@tetrad/rollup-state';
import type { OpenRequest, SequenceStep } from '@tetrad/rollup-store';
import type { ExecutionPlan } from './execution-plan.js';
import { provedAccount } from './proved-account.js';

/** Another operation of the account has its place before, in the same step: it answers, and nothing is tried again. */
const ANSWERED: RejectionReason = 'NONCE_TOO_LOW';

/** The contract says that it can be executed; when it cannot, it is not tried in circles. */
export async function executeRequest(
  step: SequenceStep,
  plan: ExecutionPlan,
  { place, stored, proved, isReadable }: OpenRequest & { readonly isReadable: boolean },
): Promise<void> {
  const account = isReadable ? undefined : provedAccount(proved);
  const failure =
    account === undefined || (await hasLeaf(step, account))
      ? plan.executeRequested(stored, account)
      : 'ACCOUNT_CHANGED';
  if (failure !== undefined && failure !== ANSWERED) await step.failRequest(place, failure);
}

/** The contract has compared it with a state since which the account signed nothing: another leaf is a fault of ours. */
async function hasLeaf(step: SequenceStep, account: ProvedAccount): Promise<boolean> {
  const { id } = account;
  const nodes = await step.treeNodes('account', [{ level: 0, index: id }], step.head.assembledHeight);
  return nodes.get(`0/${id}`) === accountHash(account);
}
