import { operationKinds } from '@tetrad/rollup-crypto';
import { retryRequests } from './requests.js';
import type { RollupCalls } from './rollup-client.js';
import { RollupStoreError } from './rollup-store-error.js';
import type { SequenceHead } from './sequence-head.js';

/**
 * Takes back every batch from a height on, as when the contract accepted another one in its place: operations are
 * pending again, deposits wait, accounts and trees are those of the batch before. What was rejected stays so; requests
 * that failed are tried again.
 *
 * @param calls - of a transaction that holds the lock of the sequence
 * @throws RollupStoreError when one of the batches is final
 */
export async function rewindTo(
  calls: RollupCalls,
  head: SequenceHead,
  height: number,
): Promise<SequenceHead> {
  const from = { gte: height };
  if ((await calls.batch.count({ where: { height: from, state: 'final' } })) > 0)
    throw new RollupStoreError(`batch ${height} cannot be taken back: it is final`);
  const batches = await calls.batch.aggregate({ where: { height: from }, _min: { inboundFrom: true } });
  const created = { createdHeight: from };
  const accounts = await calls.account.aggregate({ where: created, _min: { accountId: true } });
  await takeBack(calls, height);
  const inbound = batches._min.inboundFrom;
  return {
    ...head,
    nextAccountId: accounts._min.accountId ?? head.nextAccountId,
    openHeight: Math.min(height, head.openHeight),
    openIndex: 0,
    nextInbound: inbound === null ? head.nextInbound : Number(inbound),
    assembledHeight: Math.min(height - 1, head.assembledHeight),
  };
}

async function takeBack(calls: RollupCalls, height: number): Promise<void> {
  const from = { gte: height };
  await takeBackOperations(calls, height);
  const noPlace = { batchHeight: null, batchIndex: null };
  await calls.deposit.updateMany({ where: { batchHeight: from }, data: noPlace });
  await calls.account.updateMany({
    where: { createdHeight: from },
    data: { accountId: null, createdHeight: null },
  });
  await calls.accountVersion.deleteMany({ where: { batchHeight: from } });
  await calls.opaquePlace.deleteMany({ where: { batchHeight: from } });
  await calls.moneyOrder.deleteMany({ where: { batchHeight: from } });
  await calls.credit.deleteMany({ where: { batchHeight: from } });
  await calls.moneyOrder.updateMany({ where: { redeemedHeight: from }, data: { redeemedHeight: null } });
  await calls.treeNode.deleteMany({ where: { batchHeight: from } });
  await calls.batch.deleteMany({ where: { height: from } });
  await retryRequests(calls);
}

/** The order that a creation made is gone; a redemption keeps the index that was signed. */
async function takeBackOperations(calls: RollupCalls, height: number): Promise<void> {
  const { createAccount, redeemMoneyOrder } = operationKinds;
  const pending = { status: 'PENDING', batchHeight: null, batchIndex: null };
  const of = (kind: number | { notIn: number[] }) => ({ batchHeight: { gte: height }, kind });
  await calls.operation.updateMany({ where: of(redeemMoneyOrder), data: pending });
  await calls.operation.updateMany({
    where: of(createAccount),
    data: { ...pending, totalIndex: null, accountId: null },
  });
  await calls.operation.updateMany({
    where: of({ notIn: [createAccount, redeemMoneyOrder] }),
    data: { ...pending, totalIndex: null },
  });
}
