import { InvalidTransactionError, isPrivateTransaction, type Simulation } from '@tetrad/node-execution';
import { responseTooLarge } from '@tetrad/node-queries';
import { RequestError, type Block, type SignedTransaction } from '@tetrad/types';
import { assertAdmitted, type Admission } from './execution-gate.js';
import { replayBothUpTo, type ReplayParts, type ReplayedBlock } from './replay.js';
import type { TraceSubject } from './tracing/run-recorded.js';
import { TraceTooLargeError } from './tracing/trace-budget.js';

/** A transaction of a block that is about to be traced on the state before it. */
export interface TracedTransaction {
  readonly transaction: SignedTransaction;
  readonly index: number;
  readonly subject: TraceSubject;
  readonly simulation: Simulation;
}

/**
 * The transactions of a block one after the other. The caller runs the subject of one before it asks for the next.
 * @throws as `replayBothUpTo`
 */
export async function* transactionsOf(
  parts: ReplayParts,
  block: Block,
  admission: Admission,
): AsyncGenerator<TracedTransaction, void> {
  const replayed = await replayBothUpTo(parts, block, { index: 0, admission });
  const { world, context } = replayed;
  const { executor } = parts.ledger;
  for (const [index, transaction] of block.transactions.entries()) {
    assertAdmitted(admission);
    const subject = await subjectOf(replayed, transaction);
    yield { transaction, index, subject, simulation: { executor, block: context, world, ...admission } };
    // Tracing a private transaction leaves the public world unchanged.
    if (subject !== transaction) await executor.executeTransaction(context, transaction, world);
  }
}

/** A private transaction as this node executed it, empty when the node is not a party. A marker is traced as such. */
export async function subjectOf(
  { privately }: ReplayedBlock,
  transaction: SignedTransaction,
): Promise<TraceSubject> {
  if (!isPrivateTransaction(transaction)) {
    await privately?.execute(transaction);
    return transaction;
  }
  const { sender: from, to, data: input, gasLimit } = transaction;
  return {
    from,
    to,
    input,
    gasLimit,
    async run(context) {
      const receipt = (await privately?.execute(transaction, context))?.receipt;
      return { failed: receipt?.status === 0, returnData: receipt?.returnData ?? new Uint8Array(0) };
    },
  };
}

/**
 * Translates the errors of a recording.
 * @param answerBytes - the limit that the budget of the recording stands for
 * @throws RequestError RESPONSE_TOO_LARGE, EXECUTION_FAILED
 */
export async function boundedRecording<T>(recording: Promise<T>, answerBytes: number): Promise<T> {
  try {
    return await recording;
  } catch (error) {
    if (error instanceof TraceTooLargeError) throw responseTooLarge(answerBytes);
    if (error instanceof InvalidTransactionError)
      throw new RequestError('EXECUTION_FAILED', `tracing failed: ${error.message}`);
    throw error;
  }
}
