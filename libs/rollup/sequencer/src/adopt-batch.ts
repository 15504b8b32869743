import type { Account, RecoverableBatch } from '@tetrad/rollup-state';
import type { SequenceStep, StoredOperation } from '@tetrad/rollup-store';
import {
  UnreadableBatchError,
  operationAt,
  placesOf,
  type AdoptionKeys,
  type PublicPlace,
} from './adoption.js';
import { assembleBatch } from './assembly.js';
import { ExecutionPlan } from './execution-plan.js';
import { readOrdersOfChain } from './execution-reads.js';

/**
 * Puts a batch that somebody else made and the chain accepted in the place of our own ones from its height on, whose
 * operations are pending again. Nothing is written unless it leads to the state root that the chain has.
 *
 * In:    a batch after the last final one; its deposits are in the rows
 * Fails: UnreadableBatchError; RollupStoreError when the batch is final here
 */
export async function adoptBatch(
  step: SequenceStep,
  batch: RecoverableBatch,
  keys: AdoptionKeys,
): Promise<void> {
  await step.rewind(batch.height);
  if (step.head.assembledHeight !== batch.height - 1)
    throw new UnreadableBatchError(`batch ${step.head.assembledHeight + 1} comes before it`);
  const plan = await planOf(step, batch, keys);
  plan.seal();
  await step.execute(plan.write, plan.head);
  await assembleBatch(step, await step.batch(batch.height), keys.domain, readOrdersOfChain);
  const { roots } = await step.batch(batch.height);
  if (roots?.state !== batch.nextStateRoot)
    throw new UnreadableBatchError('what is read of it leads to another state root');
}

/** Executes what the batch holds, one operation after the other: each is looked for as the account then is. */
async function planOf(
  step: SequenceStep,
  batch: RecoverableBatch,
  keys: AdoptionKeys,
): Promise<ExecutionPlan> {
  const places = placesOf(batch);
  const ids = [...new Set(places.map(({ accountId }) => accountId))];
  const accounts = new Map((await step.accounts(ids)).map((account) => [account.id, account]));
  const orders = new Map<number, bigint>();
  const plan = new ExecutionPlan(step.head, batch.headers.length, {
    ...{ orders, previous: new Map(), account: (id: number) => accounts.get(id) },
  });
  const deposits = await step.readyDeposits(places.length);
  let taken = 0;
  for (const place of places) {
    if (place.kind === 'inboundTransfer') {
      const deposit = deposits[taken++];
      if (deposit === undefined) throw new UnreadableBatchError('it takes a deposit that is not known here');
      plan.takeDeposit(deposit);
      continue;
    }
    const { kind } = place;
    const account = plan.accounts.get(place.accountId) ?? accounts.get(place.accountId);
    const stored = await operationAt(step, { ...place, kind }, account, keys);
    if (stored.operation.kind === 'redeemMoneyOrder') {
      const found = await step.moneyOrders([stored.operation.totalIndex]);
      for (const { totalIndex, hash } of found) orders.set(totalIndex, hash);
    }
    executeAt(plan, place, { stored, account });
  }
  return plan;
}

function executeAt(
  plan: ExecutionPlan,
  { kind, accountId }: PublicPlace,
  { stored, account }: { readonly stored: StoredOperation; readonly account: Account | undefined },
): void {
  const before = plan.write.executed.length;
  if (kind === 'createAccount' && (account !== undefined || plan.head.nextAccountId !== accountId))
    throw new UnreadableBatchError(`it creates account ${accountId}, and ${plan.head.nextAccountId} is next`);
  plan.execute(stored);
  if (plan.write.executed.length === before)
    throw new UnreadableBatchError(`an operation of account ${accountId} cannot be executed as it is read`);
}
