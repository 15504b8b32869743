import type { AgreementBlock } from '@tetrad/node-store';
import type { MessageOutcome, Outcome, PartyMessage } from '@tetrad/transaction-manager-client';
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

/** What is sent for a row. */
interface Letter {
  readonly row: AgreementBlock;
  readonly message: Message;
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

  /**
   * Gives the messages of all of them to the manager at once, and stores what came of them at once, also when it took some and is away
   * for the others.
   */
  private async sendTogether(due: readonly AgreementBlock[], turn: Turn): Promise<void> {
    const { store, manager } = this.parts;
    const { letters, silent } = await this.lettersOf(due, turn);
    const outcomes = letters.length === 0 ? [] : await manager.sendMessages(letters.map(toSend));
    const sent = [...silent];
    for (const [at, letter] of letters.entries()) {
      const outcome = readTaken(outcomes[at]);
      if (outcome === 'accepted') sent.push(this.wasSent(letter));
      else if (outcome !== 'away') await this.putOff(letter.row, outcome, turn);
    }
    await store.save(sent.filter((row) => !isSettled(row)));
    await store.settle(sent.filter(isSettled));
    const away = outcomes.find((one) => one.kind === 'unknown');
    if (away?.kind === 'unknown') throw new ManagerAwayError(away.reason);
  }

  /** @returns what is to be sent, and the rows of which nothing is to be told */
  private async lettersOf(due: readonly AgreementBlock[], { isStopped, putOff }: Turn) {
    const letters: Letter[] = [];
    const silent: AgreementBlock[] = [];
    for (const row of due) {
      if (isStopped()) break;
      if (row.ownStatement === undefined) await this.parts.answers.answer(row);
      else if (!putOff.has(pairName(row))) {
        const message = await this.messageOf(row);
        if (message === undefined) silent.push({ ...row, nextAtMs: undefined });
        else letters.push({ row, message });
      }
    }
    return { letters, silent };
  }

  /** Nothing more is sent to the pair for now. */
  private async putOff(row: AgreementBlock, why: keyof typeof PAUSES_MS, turn: Turn): Promise<void> {
    if (turn.putOff.has(pairName(row))) return;
    turn.putOff.add(pairName(row));
    const { store, clock } = this.parts;
    await store.putOff(row, clock.now() + PAUSES_MS[why], why === 'full');
  }

  private wasSent({ row, message }: Letter): AgreementBlock {
    const { kind, sent, ownRules = row.ownRules } = message;
    const nowMs = this.parts.clock.now();
    this.parts.counters.sent.increment({ kind });
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

function toSend({ row, message: { kind, body } }: Letter): PartyMessage {
  return { from: row.own, to: row.other, kind, body };
}

function readTaken(sent: Outcome<MessageOutcome> | undefined): MessageOutcome | 'refused' | 'away' {
  if (sent === undefined || sent.kind === 'unknown') return 'away';
  return sent.kind === 'refused' ? 'refused' : sent.value;
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
