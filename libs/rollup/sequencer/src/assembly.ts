import {
  ACCOUNT_TREE_DEPTH,
  applyBatch,
  batchReads,
  type Batch,
  type BatchPlan,
  type BatchView,
  type KnownAccount,
  type RollupOperation,
} from '@tetrad/rollup-state';
import type { BatchItem, StoredBatch, SequenceHead, SequenceStep } from '@tetrad/rollup-store';
import { TetradError } from '@tetrad/types';
import { rollupOperation } from './execution-plan.js';
import { executionView, readOrderHashes } from './execution-reads.js';
import { provedAccount } from './proved-account.js';
import { encodeProvingInput } from './proving-input.js';

/** The rows contradict each other: a fault of ours, after which nothing more is assembled. */
export class SequencerError extends TetradError {
  override readonly name: string = 'SequencerError';
  override readonly code: string = 'CONTRADICTING_ROWS';
}

/** A batch of another submitter does not follow from the stored state; the message names what is missing. */
export class UnreadableBatchError extends SequencerError {
  override readonly name = 'UnreadableBatchError';
}

/**
 * Writes the trees of a sealed batch and what it is proved with: reads what applying it may read, as the batches before it
 * left it, and applies it.
 * @throws SequencerError when the batch does not come out as it was executed
 */
export async function assembleBatch(
  step: SequenceStep,
  row: StoredBatch,
  { domain, hasConsents }: Pick<BatchPlan, 'domain' | 'hasConsents'>,
): Promise<SequenceHead> {
  const items = await step.batchItems(row);
  const operations = items.map(operationOf);
  const view = await readView(step, row.height, operations);
  const { height, inboundFrom, size } = row;
  const batch = applyBatch(view, { height, inboundFrom, size, domain, hasConsents }, operations);
  assertExecuted(batch, row, items.length);
  const { publicInputs, witness, ciphertexts } = batch;
  return step.assemble({
    roots: {
      previousState: publicInputs.previousStateRoot,
      state: publicInputs.nextStateRoot,
      account: accountRoot(batch),
      orders: publicInputs.ordersRoot,
    },
    proving: encodeProvingInput({ witness, ciphertexts }),
    accountNodes: batch.accountNodes,
    historyNodes: batch.historyNodes,
  });
}

function operationOf(item: BatchItem): RollupOperation {
  if (item.kind === 'credit') return { kind: 'credit', order: item.order };
  return item.kind === 'deposit'
    ? { kind: 'inboundTransfer', ...item.deposit }
    : rollupOperation(item.stored, 0);
}

async function readView(
  step: SequenceStep,
  height: number,
  operations: readonly RollupOperation[],
): Promise<BatchView> {
  const reads = batchReads(height, operations);
  const before = height - 1;
  const accounts = await readAccounts(step, reads.accountIds, height);
  const accountNodes = await step.treeNodes('account', reads.accountNodes, before);
  const historyNodes = await step.treeNodes('history', reads.historyNodes, before);
  const orders = await step.batchOrders(reads.orderHeights);
  // Whether open orders may be skipped was decided when the operations were executed, by the minimum of that time.
  const checked = { orders: await readOrderHashes(step, operations), previous: new Map() };
  return {
    ...executionView(
      (id) => accounts.get(id),
      checked,
      () => height,
    ),
    accountNode: (level, index) => accountNodes.get(`${level}/${index}`),
    historyNode: (level, index) => historyNodes.get(`${level}/${index}`),
    orders: (batchHeight) => orders.get(batchHeight) ?? [],
  };
}

/** As the batches before left them; of those that cannot be read what was proved with the requests that are in the batch. */
async function readAccounts(
  step: SequenceStep,
  ids: readonly number[],
  height: number,
): Promise<ReadonlyMap<number, KnownAccount>> {
  const accounts = new Map<number, KnownAccount>();
  for (const account of await step.accounts(ids, height - 1)) accounts.set(account.id, account);
  const opaque = ids.filter((id) => !accounts.has(id));
  for (const holding of await step.provedHoldings(height, opaque))
    accounts.set(holding.id, provedAccount(holding));
  return accounts;
}

function accountRoot({ accountNodes, witness }: Batch): bigint {
  return accountNodes.find(({ level }) => level === ACCOUNT_TREE_DEPTH)?.hash ?? witness.accountRoot;
}

function assertExecuted({ results, publicInputs }: Batch, row: StoredBatch, count: number): void {
  const isSame = (result: Batch['results'][number], place: number) =>
    result.status === 'EXECUTED' && result.index === place;
  if (count !== row.operations || results.length !== count || !results.every(isSame)) {
    throw new SequencerError(`batch ${row.height} does not execute again as it was executed`);
  }
  if (publicInputs.inboundTo !== row.inboundTo) {
    throw new SequencerError(
      `batch ${row.height} takes deposits to ${publicInputs.inboundTo}, not ${row.inboundTo}`,
    );
  }
}
