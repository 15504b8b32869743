import { InvalidBlockError } from '@tetrad/node-block';
import {
  InvalidTransactionError,
  orderedTrieRoot,
  type BlockContext,
  type Executor,
  type WorldState,
} from '@tetrad/node-execution';
import type { Block, BlockHeader, SealedHeader } from '@tetrad/types';
import type { BadBlocks } from './bad-blocks.js';
import type { BlockExecution, ExecutedBlock } from './block-execution.js';
import type { BlockPhases } from './block-phases.js';
import { assertCommitments, assertHeader } from './block-verification.js';
import type { ConsensusRules, HeaderConditions } from './consensus-rules.js';
import { isFaultOfBlock } from './fault-of-block.js';

/**
 * Checks that a block is valid on top of its parent; cheap checks first.
 * @returns its execution result, which is not kept here
 * @throws InvalidBlockError with the rule broken
 */
export async function checkBlock<Snapshot>(
  ledger: CheckingLedger<Snapshot>,
  block: Block,
  parts: CheckParts<Snapshot>,
): Promise<ExecutedBlock> {
  assertHeader(block, ledger, parts.conditions);
  try {
    return await executeBlock(ledger, block, parts);
  } catch (error) {
    if (isFaultOfBlock(error)) ledger.badBlocks.note(block, error.message);
    throw error;
  }
}

/** What the check asks of the ledger. */
export interface CheckingLedger<Snapshot> {
  readonly rules: ConsensusRules<Snapshot>;
  readonly executor: Executor;
  readonly badBlocks: BadBlocks;
  contextOf(header: BlockHeader): BlockContext;
  storedWorldAt(block: Pick<SealedHeader, 'header'>): Promise<WorldState>;
  execute(context: BlockContext, world: WorldState): BlockExecution;
}

interface CheckParts<Snapshot> {
  readonly conditions: HeaderConditions<Snapshot>;
  readonly phases: BlockPhases;
}

async function executeBlock<Snapshot>(
  ledger: CheckingLedger<Snapshot>,
  block: Block,
  { conditions, phases }: CheckParts<Snapshot>,
): Promise<ExecutedBlock> {
  const { header, transactions } = block;
  if (header.transactionsRoot !== orderedTrieRoot(transactions.map(({ raw }) => raw))) {
    throw new InvalidBlockError('mismatch transactions hashes');
  }
  const started = performance.now();
  const execution = ledger.execute(ledger.contextOf(header), await ledger.storedWorldAt(conditions.parent));
  try {
    await execution.addAll(transactions);
  } catch (error) {
    if (error instanceof InvalidTransactionError) throw rejection(transactions, execution, error);
    throw error;
  }
  const ran = performance.now();
  const executed = await execution.finish(header.transactionsRoot);
  phases.took('execution', ran - started);
  phases.took('hashing', performance.now() - ran);
  assertCommitments(header, executed);
  return executed;
}

/** The error in the words of the reference, with the index of the transaction. */
function rejection(
  transactions: Block['transactions'],
  { transactions: executed }: Pick<BlockExecution, 'transactions'>,
  { message }: InvalidTransactionError,
): InvalidBlockError {
  const index = executed.length;
  return new InvalidBlockError(`could not apply tx ${index} [${transactions[index]?.hash}]: ${message}`);
}
