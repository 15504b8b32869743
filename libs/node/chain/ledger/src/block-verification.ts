import { InvalidBlockError } from '@tetrad/node-block';
import type { Executor } from '@tetrad/node-execution';
import type { BlockHeader, SealedHeader } from '@tetrad/types';
import type { ExecutedBlock } from './block-execution.js';
import type { ConsensusRules, HeaderConditions } from './consensus-rules.js';
import { hasForkFields } from './header-fields.js';
import { secondsOf } from './header-time.js';

/**
 * Checks a header by itself and against its parent.
 * @throws InvalidBlockError with the rule broken
 */
export function assertHeader<Snapshot>(
  block: SealedHeader,
  { rules, executor }: { readonly rules: ConsensusRules<Snapshot>; readonly executor: Executor },
  conditions: HeaderConditions<Snapshot>,
): void {
  const { hash, header } = block;
  if (rules.hashHeader(header) !== hash) throw new InvalidBlockError('invalid block hash');
  rules.assertHeader(block, conditions);
  if (!hasForkFields(header, executor.rules({ number: header.number, timestamp: secondsOf(rules, header) })))
    throw new InvalidBlockError('invalid fork fields');
}

/**
 * Compares the commitments of the header with the execution result.
 * @throws InvalidBlockError
 */
export function assertCommitments(header: BlockHeader, executed: ExecutedBlock): void {
  if (header.gasUsed !== executed.gasUsed) throw new InvalidBlockError('invalid gas used');
  if (Buffer.compare(header.logsBloom, executed.logsBloom) !== 0)
    throw new InvalidBlockError('invalid bloom');
  if (header.receiptsRoot !== executed.receiptsRoot) throw new InvalidBlockError('invalid receipt root hash');
  if (header.stateRoot !== executed.changes.stateRoot) throw new InvalidBlockError('invalid merkle root');
}
