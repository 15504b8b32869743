import type { AgreementBlock } from '@tetrad/node-store';
import type { ReceivedMessage } from '@tetrad/transaction-manager-client';
import { TokenBuckets, type BucketRate, type Hash } from '@tetrad/types';
import { pairName } from '../results/payload-parties.js';
import { listBytes } from '../outcome/outcome-list.js';
import { openBlockStatement, statedIn } from '../statement/block-statement.js';
import {
  decodeList,
  decodeOutcome,
  isListOf,
  isOutcomeOf,
  readListBytes,
  splitBlock,
  statementHash,
} from '../statement/statement-details.js';
import { openRules } from '../statement/stated-rules.js';
import type { ExchangeParts } from './exchange-parts.js';
import type { Heard } from './heard.js';
import { isSettled, compared } from './own-statement.js';

/** Lines in the log for one pair: once a contract has diverged, every block that uses it does. */
const REPORTS: BucketRate = { perSecond: 0.01, burst: 4 };
const MAX_REPORTED = 1_024;

/** Takes what other parties tell of statements that differ from ours; each detail once for a statement. */
export class HearDetails {
  private readonly reports = new TokenBuckets<string>(REPORTS, MAX_REPORTED);

  constructor(
    private readonly parts: Pick<ExchangeParts, 'store' | 'countTransactions' | 'clock' | 'logger'>,
  ) {}

  /** Resolves once what is needed of the message is stored. */
  async hearList(message: ReceivedMessage): Promise<Heard> {
    const { store, clock, countTransactions } = this.parts;
    const split = splitBlock(message.body);
    const told = split && decodeList(split.detail);
    if (split === undefined || told === undefined) return 'malformed';
    const row = await this.rowOf(message, { block: split.block, statement: told.statement });
    const stated = row?.otherStatement;
    if (row === undefined || stated === undefined || row.ownStatement === undefined) return 'foreign';
    if (row.otherList !== undefined) return 'repeated';
    const isTrue = isListOf(statedIn(stated), told.value);
    if (!isTrue || told.value.outcomes.length > (await countTransactions(row.block))) return 'malformed';
    const next = compared({ ...row, otherList: listBytes(told.value.outcomes) });
    if (next.state === 'diverged') this.report(next);
    if (isSettled(next)) await store.settle([next]);
    else await store.save([{ ...next, nextAtMs: clock.now() }]);
    return 'taken';
  }

  /** As `hearList`, for the outcome of the first transaction that differs. */
  async hearOutcome(message: ReceivedMessage): Promise<Heard> {
    const split = splitBlock(message.body);
    const told = split && decodeOutcome(split.detail);
    if (split === undefined || told === undefined) return 'malformed';
    const row = await this.rowOf(message, { block: split.block, statement: told.statement });
    if (row?.otherList === undefined || row.transaction !== told.value.hash) return 'foreign';
    if (row.otherOutcome !== undefined) return 'repeated';
    if (!isOutcomeOf(readListBytes(row.otherList), told.value)) return 'malformed';
    await this.parts.store.save([{ ...row, otherOutcome: split.detail }]);
    return 'taken';
  }

  /** As `hearList`, for the rules by which the other party says that it executes. Nothing but its signature speaks for them. */
  async hearRules(message: ReceivedMessage): Promise<Heard> {
    const split = splitBlock(message.body);
    const told = split && openRules(split.detail);
    if (split === undefined || told === undefined) return 'malformed';
    const row = await this.rowOf(message, { block: split.block, statement: told.statement });
    const stated = row?.otherStatement && openBlockStatement(row.otherStatement);
    if (row === undefined || stated?.signer !== told.signer) return 'foreign';
    if (row.otherRules !== undefined) return 'repeated';
    await this.parts.store.save([{ ...row, otherRules: split.detail }]);
    return 'taken';
  }

  /** The row whose statement of the other party the detail belongs to. */
  private async rowOf(
    { from, to }: ReceivedMessage,
    of: { readonly block: number; readonly statement: Hash },
  ): Promise<AgreementBlock | undefined> {
    const row = await this.parts.store.findBlock({ own: to, other: from }, of.block);
    const stated = row?.otherStatement;
    return stated !== undefined && statementHash(stated) === of.statement ? row : undefined;
  }

  private report(row: AgreementBlock): void {
    const { other, block, transaction } = row;
    if (!this.reports.take(pairName(row), this.parts.clock.now())) return;
    const about = { party: other, block, transaction };
    this.parts.logger.error('a party has another result of a private transaction', about);
  }
}
