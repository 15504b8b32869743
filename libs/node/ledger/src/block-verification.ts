import {
  hashHeader,
  namesValidators,
  verifyHeader,
  type ValidatorSnapshot,
} from '@tetrad/node-consensus-bft';
import type { Executor } from '@tetrad/node-execution';
import type { BlockHeader, SealedHeader } from '@tetrad/types';
import type { ExecutedBlock } from './block-execution.js';
import type { ChainRules } from './chain-rules.js';
import { hasForkFields } from './header-fields.js';
import { InvalidBlockError } from './invalid-block-error.js';

/** By which rules and when a header is judged. */
export interface HeaderJudgement {
  readonly rules: ChainRules;
  readonly executor: Executor;
  readonly parent: SealedHeader;
  /** The validators after the parent. */
  readonly snapshot: ValidatorSnapshot;
  /** Seconds since the epoch, and how far ahead of it a block may be. */
  readonly now: number;
  readonly allowedFutureSeconds: number;
  /** Whether it is a proposal, which has no committed seals yet. */
  readonly isProposal?: boolean;
}

/** Checks all that a header says by itself and of its parent. Fails: ConsensusError or InvalidBlockError. */
export function assertHeader({ hash, header }: SealedHeader, judgement: HeaderJudgement): void {
  const { rules, executor, parent, snapshot, now, allowedFutureSeconds } = judgement;
  if (hashHeader(header) !== hash) throw new InvalidBlockError('invalid block hash');
  const settings = rules.settingsAt(header.number);
  const format = rules.formatAt(header.number);
  verifyHeader({
    ...{ rules: format, header, parent, validators: snapshot.validators, now, allowedFutureSeconds },
    periodSeconds: Math.floor(settings.blockPeriodMs / 1000),
    legacyQuorum: settings.legacyQuorum,
    isProposal: judgement.isProposal === true,
  });
  if (!namesValidators(format, header, rules.listedIn(header.number, snapshot)))
    throw new InvalidBlockError('invalid validator list');
  if (!hasForkFields(header, executor.rules(header))) throw new InvalidBlockError('invalid fork fields');
  assertGasLimit(header, parent.header);
}

/** A block's gas limit may move by less than a 1,024th (Yellow Paper, section 4.3.4). */
function assertGasLimit(header: BlockHeader, parent: BlockHeader): void {
  const change =
    header.gasLimit > parent.gasLimit ? header.gasLimit - parent.gasLimit : parent.gasLimit - header.gasLimit;
  if (change !== 0n && change >= parent.gasLimit / 1024n) throw new InvalidBlockError('invalid gas limit');
}

/** Compares what the header commits to with what execution gave. Fails: InvalidBlockError. */
export function assertCommitments(header: BlockHeader, executed: ExecutedBlock): void {
  if (header.gasUsed !== executed.gasUsed) throw new InvalidBlockError('invalid gas used');
  if (Buffer.compare(header.logsBloom, executed.logsBloom) !== 0)
    throw new InvalidBlockError('invalid bloom');
  if (header.receiptsRoot !== executed.receiptsRoot) throw new InvalidBlockError('invalid receipt root hash');
  if (header.stateRoot !== executed.changes.stateRoot) throw new InvalidBlockError('invalid merkle root');
}
