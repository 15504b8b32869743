import { InvalidTransactionError, orderedTrieRoot } from '@tetrad/node-execution';
import type { Block } from '@tetrad/types';
import type { ExecutedBlock } from './block-execution.js';
import type { BlockPhases } from './block-phases.js';
import { assertCommitments, assertHeader, type HeaderJudgement } from './block-verification.js';
import { InvalidBlockError } from './invalid-block-error.js';
import type { Ledger } from './ledger.js';

/**
 * Everything that makes a block valid on top of its parent; cheap checks first.
 *
 * Out:   what executing it gave; nothing of it is kept here
 * Fails: ConsensusError or InvalidBlockError with the rule broken
 */
export async function checkBlock(
  ledger: Pick<Ledger, 'execute' | 'contextOf' | 'worldAt'>,
  block: Block,
  { judgement, phases }: { readonly judgement: HeaderJudgement; readonly phases: BlockPhases },
): Promise<ExecutedBlock> {
  const { header, transactions } = block;
  assertHeader(block, judgement);
  if (header.transactionsRoot !== (await orderedTrieRoot(transactions.map(({ raw }) => raw)))) {
    throw new InvalidBlockError('mismatch transactions hashes');
  }
  const started = performance.now();
  const execution = ledger.execute(ledger.contextOf(header), await ledger.worldAt(judgement.parent));
  try {
    await execution.addAll(transactions);
  } catch (error) {
    if (error instanceof InvalidTransactionError)
      throw new InvalidBlockError(`invalid transaction: ${error.message}`);
    throw error;
  }
  const ran = performance.now();
  const executed = await execution.finish(header.transactionsRoot);
  phases.took('execution', ran - started);
  phases.took('hashing', performance.now() - ran);
  assertCommitments(header, executed);
  return executed;
}
