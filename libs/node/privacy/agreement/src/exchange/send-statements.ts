import type { AgreementBlock } from '@tetrad/node-store';
import { backOffMs, TetradError, type Hash } from '@tetrad/types';
import { UNDISCLOSED } from '../outcome/outcome-list.js';
import { readOwnList, disclosedList } from '../outcome/own-list.js';
import { pairName } from '../results/payload-parties.js';
import {
  encodeList,
  encodeOutcome,
  readListBytes,
  statementHash,
  withBlock,
} from '../statement/statement-details.js';
import { signRules } from '../statement/stated-rules.js';
import { KINDS, type ExchangeParts } from './exchange-parts.js';
import { ANSWER_DUE, isDifferent, isSettled } from './own-statement.js';
import type { SettledAnswers } from './settled-answers.js';

/** Our manager does not answer now. */
export class ManagerAwayError extends TetradError {
  override readonly name = 'ManagerAwayError';
  override readonly code = 'TRANSACTION_MANAGER_UNAVAILABLE';
}

/** Rows for which something is sent in one pass, and those that are stored together. */
const MAX_DUE = 256;
const MAX_TOGETHER = 16;
/**
 * A statement that stays unanswered is sent again: the other node may not have followed the block then, and drops what it does not
 * expect; managers drop messages after a day, and restored ones lose them. Once the party is heard again the pause is over.
 */
const REPEATS = { firstMs: 5_000, maxMs: 10 * 60_000 };
/** Pauses for a party for which messages pile up, one whose manager is not found, and one whose manager carries none. */
const PAUSES_MS = { full: 5_000, refused: 60_000, unsupported: 600_000 };

const STATEMENT = 1;
const LIST = 2;
const OUTCOME = 3;
const RULES_SENT = 4;

interface Parts extends Pick<
  ExchangeParts,
  'store' | 'manager' | 'results' | 'rulesAt' | 'nodeKey' | 'counters' | 'clock' | 'logger'
> {
  readonly answers: Pick<SettledAnswers, 'answer'>;
}

/** One pass over what is due. */
interface Turn {
  readonly isStopped: () => boolean;
  /** Pairs to which nothing more is to be sent in it. */
  readonly putOff: Set<string>;
}

interface Message {
  readonly kind: string;
  readonly body: Uint8Array;
  /** What the row has sent with it. */
  readonly sent: number;
  /** What the row keeps of it. */
  readonly ownRules?: Uint8Array;
}

/** Sends what is due: statements, and where they differ lists and the outcome of the first transaction that differs. */
export class SendStatements {
  constructor(private readonly parts: Parts) {}

  /**
   * @returns whether more is due
   * @throws ManagerAwayError
   * @throws RequestError TRANSACTION_MANAGER_UNAVAILABLE, KEY_UNAVAILABLE
   */
  async sendDue(isStopped: () => boolean): Promise<boolean> {
    const { store, clock } = this.parts;
    const due = await store.listDue(clock.now(), MAX_DUE);
    const turn = { isStopped, putOff: new Set<string>() };
    for (let next = 0; next < due.length; next += MAX_TOGETHER)
      await this.sendTogether(due.slice(next, next + MAX_TOGETHER), turn);
    return due.length > 0 && !isStopped();
  }

  /** Stores what came of all of them at once; what was sent before one that fails, too. */
  private async sendTogether(due: readonly AgreementBlock[], turn: Turn): Promise<void> {
    const { store, answers } = this.parts;
    const sent: AgreementBlock[] = [];
    try {
      for (const row of due) {
        if (turn.isStopped()) break;
        if (row.ownStatement === undefined) await answers.answer(row);
        else if (!turn.putOff.has(pairName(row))) sent.push(...(await this.send(row, turn)));
      }
    } finally {
      await store.save(sent.filter((row) => !isSettled(row)));
      await store.settle(sent.filter(isSettled));
    }
  }

  /** @returns the row as it is to be stored; none of a party to which nothing more is to be sent for now */
  private async send(row: AgreementBlock, { putOff }: Turn): Promise<AgreementBlock[]> {
    const { store, manager, counters, clock } = this.parts;
    const message = await this.messageOf(row);
    if (message === undefined) return [{ ...row, nextAtMs: undefined }];
    const { kind, body } = message;
    const taken = await manager.sendMessage({ from: row.own, to: row.other, kind, body });
    if (taken.kind === 'unknown') throw new ManagerAwayError(taken.reason);
    const outcome = taken.kind === 'refused' ? 'refused' : taken.value;
    if (outcome !== 'accepted') {
      putOff.add(pairName(row));
      await store.putOff(row, clock.now() + PAUSES_MS[outcome], outcome === 'full');
      return [];
    }
    counters.sent.increment({ kind });
    return [this.wasSent(row, message)];
  }

  private wasSent(row: AgreementBlock, { sent, ownRules = row.ownRules }: Message): AgreementBlock {
    const nowMs = this.parts.clock.now();
    const sends = row.sends + Number(sent === STATEMENT);
    const next = { ...row, ownRules, sent: Math.max(row.sent, sent), sends };
    if (isDifferent(next) && next.sent < LIST) return { ...next, nextAtMs: nowMs };
    if (isCompared(next) && next.sent < RULES_SENT) return { ...next, nextAtMs: nowMs };
    const isOpen = next.state === 'pending' || next.state === 'comparing';
    return { ...next, nextAtMs: isOpen ? nowMs + backOffMs(sends, REPEATS) : undefined };
  }

  /** What the row sends next; undefined when there is nothing to tell. */
  private async messageOf(row: AgreementBlock): Promise<Message | undefined> {
    const { ownStatement, ownList, sent } = row;
    if (ownStatement === undefined || ownList === undefined) return undefined;
    if (sent >= STATEMENT && isDifferent(row)) {
      const hash = statementHash(ownStatement);
      if (sent < LIST) {
        const body = withBlock(row.block, encodeList(hash, disclosedList(readOwnList(ownList))));
        return { kind: KINDS.list, body, sent: LIST };
      }
      if (isCompared(row)) return this.detailOf(row, hash);
    }
    const kind = row.state === 'agreed' || sent === ANSWER_DUE ? KINDS.reply : KINDS.statement;
    return { kind, body: ownStatement, sent: STATEMENT };
  }

  /**
   * What follows the lists: the outcome of one transaction, and the rules by which this node executes.
   * @param hash - of our statement
   */
  private async detailOf(row: AgreementBlock, hash: Hash): Promise<Message | undefined> {
    const transaction = toldTransaction(row);
    const outcome =
      transaction === undefined || row.sent >= OUTCOME
        ? undefined
        : await this.outcomeOf(row, { hash, transaction });
    if (outcome !== undefined || row.sent >= RULES_SENT) return outcome;
    const { rulesAt, nodeKey } = this.parts;
    // A node that was configured anew says again what it said.
    const ownRules =
      row.ownRules ?? (await signRules({ statement: hash, rules: await rulesAt(row.block) }, nodeKey));
    return { kind: KINDS.rules, body: withBlock(row.block, ownRules), sent: RULES_SENT, ownRules };
  }

  /** @param of.hash - of our statement */
  private async outcomeOf(
    row: AgreementBlock,
    { hash, transaction }: { readonly hash: Hash; readonly transaction: Hash },
  ): Promise<Message | undefined> {
    const [own] = await this.parts.results.read(row.block, row);
    const outcome = own?.outcomes.find((one) => one.hash === transaction);
    if (outcome === undefined) return undefined;
    return { kind: KINDS.outcome, body: withBlock(row.block, encodeOutcome(hash, outcome)), sent: OUTCOME };
  }
}

/** Whether the lists of both were compared, and differ or are not whole: the other party gets what may tell why. */
function isCompared(row: AgreementBlock): boolean {
  return isDifferent(row) && row.otherList !== undefined && row.state !== 'agreed';
}

/**
 * The transaction whose outcome goes to the other party: the first that differs, or the first that only this end discloses, which may
 * differ there.
 */
function toldTransaction({ state, transaction, ownList, otherList }: AgreementBlock): Hash | undefined {
  if (state !== 'undisclosed') return transaction;
  if (ownList === undefined || otherList === undefined) return undefined;
  const { outcomes } = readListBytes(otherList);
  const isHidden = (hash: Hash) => outcomes.some((one) => one.hash === hash && one.digest === UNDISCLOSED);
  return readOwnList(ownList).find(({ hash, isDisclosed }) => isDisclosed && isHidden(hash))?.hash;
}
