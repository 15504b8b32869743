import type { AgreementBlock, AgreementPair, KeyPair } from '@tetrad/node-store';
import type { ReceivedMessage } from '@tetrad/transaction-manager-client';
import { TokenBuckets, type BucketRate } from '@tetrad/types';
import { pairName } from '../results/payload-parties.js';
import { openBlockStatement, statedIn, type SignedBlockStatement } from '../statement/block-statement.js';
import type { ExchangeParts } from './exchange-parts.js';
import type { Heard } from './heard.js';
import { ANSWER_DUE, emptyRow, isDifferent, isSettled, compared } from './own-statement.js';
import type { SettledAnswers } from './settled-answers.js';

/** Statements of ours that are sent again for one pair because it asks again, and lists. */
const REPLIES: BucketRate = { perSecond: 10, burst: 256 };
const LISTS: BucketRate = { perSecond: 1, burst: 64 };
/** How often what waits to be sent to a party again is sent at once because the party was heard. */
const HASTENED: BucketRate = { perSecond: 0.1, burst: 1 };
/** Of a pair, each time: those that were sent least often. */
const MAX_HASTENED = 32;
/** How exactly it is stored when a party was heard last. */
const HEARD_MS = 60_000;
const MAX_COUNTED = 1_024;
/** How far a party may be ahead of this node. */
const MAX_AHEAD = 256;

export interface HearStatementsParts extends Pick<
  ExchangeParts,
  'chainId' | 'genesisHash' | 'store' | 'hashOf' | 'followed' | 'clock' | 'logger'
> {
  readonly answers: Pick<SettledAnswers, 'ask'>;
  /** The last block that this node has stated; undefined before it has begun. */
  readonly stated: () => number | undefined;
}

/** A statement that is about this chain and these parties, with its bytes. */
interface Genuine {
  readonly statement: SignedBlockStatement;
  readonly signed: Uint8Array;
  /** To a statement of ours: it is not answered. */
  readonly isReply: boolean;
}

/** Takes statements of other parties, and compares them with those of this node. */
export class HearStatements {
  private readonly replies = new TokenBuckets<string>(REPLIES, MAX_COUNTED);
  private readonly lists = new TokenBuckets<string>(LISTS, MAX_COUNTED);
  private readonly hastened = new TokenBuckets<string>(HASTENED, MAX_COUNTED);

  constructor(private readonly parts: HearStatementsParts) {}

  /**
   * Resolves once what is needed of the message is stored.
   * @param isReply - to a statement of ours: it is not answered
   */
  async hear({ from, to, body }: ReceivedMessage, isReply: boolean): Promise<Heard> {
    const { store } = this.parts;
    const statement = openBlockStatement(body);
    if (statement === undefined) return 'malformed';
    const pair = { own: to, other: from };
    if (!(await this.isGenuine(statement, pair))) return 'foreign';
    const known = await store.findKnown(pair, statement.block);
    if (known === undefined) return 'stranger';
    const { row } = known;
    const genuine = { statement, signed: body, isReply };
    const heard = row === undefined ? await this.begin(pair, genuine) : await this.compare(row, genuine);
    if (heard !== 'too-many') await this.note(known.pair, statement);
    return heard;
  }

  /** Whether it is of this chain and block, of its sender and for its recipient. */
  private async isGenuine(statement: SignedBlockStatement, { own, other }: KeyPair): Promise<boolean> {
    const { chainId, genesisHash, hashOf, followed } = this.parts;
    const { block, blockHash, from, to } = statement;
    if (statement.chainId !== chainId || statement.genesisHash !== genesisHash) return false;
    if (from !== other || to !== own || block > followed() + MAX_AHEAD) return false;
    const hash = await hashOf(block);
    return hash === undefined ? block > followed() : hash === blockHash;
  }

  /** The party is there: what it has not answered is sent again soon, however long it was away. */
  private async note(known: AgreementPair, { signer }: SignedBlockStatement): Promise<void> {
    const { store, clock } = this.parts;
    const { lastSigner, carriesMessages, heardAtMs = -Infinity } = known;
    const atMs = clock.now();
    this.warnOfSigner(known, signer);
    if (lastSigner !== signer || !carriesMessages || Math.abs(atMs - heardAtMs) >= HEARD_MS)
      await store.hear(known, { signer, atMs });
    if (this.hastened.take(pairName(known), atMs)) await store.hasten(known, atMs, MAX_HASTENED);
  }

  /** One about a block of which there is no row: it is not stated here yet, or both agreed before. */
  private async begin(pair: KeyPair, { statement, signed, isReply }: Genuine): Promise<Heard> {
    const { store, clock, answers, stated } = this.parts;
    const row = { ...emptyRow(pair, statement.block, clock.now()), otherStatement: signed };
    if (statement.block <= (stated() ?? -1)) return (await answers.ask(row, isReply)) ? 'taken' : 'too-many';
    await store.save([row]);
    return 'taken';
  }

  /** One about a block that is open here. */
  private async compare(row: AgreementBlock, genuine: Genuine): Promise<Heard> {
    const { store, clock } = this.parts;
    const { statement, signed, isReply } = genuine;
    const before = row.otherStatement && statedIn(row.otherStatement);
    if (before !== undefined && statement.revision < before.revision) return 'repeated';
    if (before?.digest === statement.digest)
      return this.tellAgain({ ...row, otherStatement: signed }, isReply);
    const isContradicted = before?.revision === statement.revision;
    if (isContradicted) this.convict(row, statement);
    const otherBefore = row.otherBefore ?? row.otherStatement;
    const details = { otherList: undefined, otherOutcome: undefined, otherRules: undefined };
    const next = compared({ ...row, ...details, otherStatement: signed, otherBefore });
    if (next.ownStatement === undefined) await store.save([{ ...next, sent: isReply ? next.sent : 0 }]);
    else if (isSettled(next)) await store.settle([next]);
    else {
      const isOpen = next.sent <= 0 || isDifferent(next);
      const sent = Math.min(next.sent, 1);
      await store.save([{ ...next, sent, nextAtMs: isOpen ? clock.now() : undefined }]);
    }
    return isContradicted ? 'contradicted' : 'taken';
  }

  /**
   * The party repeats a statement: it lacks ours, unless this is the reply to it, or our list.
   * @param row - with the statement as it came last, to which further details belong
   */
  private async tellAgain(row: AgreementBlock, isReply: boolean): Promise<Heard> {
    const { store, clock } = this.parts;
    const sent = isReply ? Math.min(row.sent, 1) : 0;
    if (row.ownStatement === undefined) await store.save([{ ...row, sent }]);
    else if (this.isRepeated(row, isReply))
      await store.save([{ ...row, sent: isReply ? sent : ANSWER_DUE, nextAtMs: clock.now() }]);
    else await store.save([row]);
    return 'repeated';
  }

  private isRepeated(row: AgreementBlock, isReply: boolean): boolean {
    const nowMs = this.parts.clock.now();
    if (isDifferent(row)) return this.lists.take(pairName(row), nowMs);
    return !isReply && this.replies.take(pairName(row), nowMs);
  }

  private convict({ other, block }: AgreementBlock, { revision }: SignedBlockStatement): void {
    const about = { party: other, block, revision };
    this.parts.logger.error('a party has signed two statements that contradict each other', about);
  }

  private warnOfSigner({ other, lastSigner }: AgreementPair, signer: string): void {
    if (lastSigner === undefined || lastSigner === signer) return;
    const about = { party: other, node: signer, before: lastSigner };
    this.parts.logger.warn('the statements of a party are signed by another node key', about);
  }
}
