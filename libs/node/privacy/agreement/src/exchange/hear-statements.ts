import type { AgreementBlock, AgreementPair, KeyPair } from '@tetrad/node-store';
import type { ReceivedMessage } from '@tetrad/transaction-manager-client';
import { TokenBuckets, type BucketRate } from '@tetrad/types';
import { pairName } from '../results/payload-parties.js';
import { openBlockStatement, statedIn, type SignedBlockStatement } from '../statement/block-statement.js';
import type { ExchangeParts } from './exchange-parts.js';
import type { Heard } from './heard.js';
import { emptyRow, isDifferent, isSettled, compared, withStatement } from './own-statement.js';

/** Statements about blocks that are settled, which have their results read again. */
const SETTLED: BucketRate = { perSecond: 10, burst: 256 };
/** Lists that are sent again for one pair. */
const REPEATED: BucketRate = { perSecond: 0.1, burst: 16 };
/** After results of a settled block were read for a pair, those of another wait for so many times as long as that took. */
const REST_FACTOR = 9;
const MAX_COUNTED = 1_024;
/** How far a party may be ahead of this node. */
const MAX_AHEAD = 256;

export interface HearStatementsParts extends Pick<
  ExchangeParts,
  'chainId' | 'genesisHash' | 'nodeKey' | 'store' | 'results' | 'hashOf' | 'followed' | 'clock' | 'logger'
> {
  /** The last block that this node has stated; undefined before it has begun. */
  readonly stated: () => number | undefined;
}

/** A statement that is about this chain and these parties, with its bytes. */
interface Genuine {
  readonly statement: SignedBlockStatement;
  readonly signed: Uint8Array;
}

/** Takes statements of other parties, and compares them with those of this node. */
export class HearStatements {
  private readonly settled = new TokenBuckets<string>(SETTLED, MAX_COUNTED);
  /** When results of settled blocks may be read again for a pair: a party chooses which, and long blocks take long. */
  private readonly restUntilMs = new Map<string, number>();
  private readonly repeated = new TokenBuckets<string>(REPEATED, MAX_COUNTED);

  constructor(private readonly parts: HearStatementsParts) {}

  /**
   * Resolves once what is needed of the message is stored.
   * @param isReply - to a statement of ours: it is not answered
   * @throws RequestError TRANSACTION_MANAGER_UNAVAILABLE, KEY_UNAVAILABLE
   */
  async hear({ from, to, body }: ReceivedMessage, isReply: boolean): Promise<Heard> {
    const { store, clock } = this.parts;
    const statement = openBlockStatement(body);
    if (statement === undefined) return 'malformed';
    const pair = { own: to, other: from };
    if (!(await this.isGenuine(statement, pair))) return 'foreign';
    const known = await store.findPair(pair);
    if (known === undefined) return 'stranger';
    const row = await store.findBlock(pair, statement.block);
    const genuine = { statement, signed: body };
    const heard =
      row === undefined ? await this.begin(pair, genuine, isReply) : await this.compare(row, genuine);
    if (heard === 'too-many') return heard;
    this.warnOfSigner(known, statement);
    await store.hear(pair, { signer: statement.signer, atMs: clock.now() });
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

  /** One about a block of which there is no row: it is not stated here yet, or both agreed before. */
  private async begin(pair: KeyPair, { statement, signed }: Genuine, isReply: boolean): Promise<Heard> {
    const { store, clock, results, stated } = this.parts;
    const row = { ...emptyRow(pair, statement.block, clock.now()), otherStatement: signed };
    if (statement.block > (stated() ?? -1)) {
      await store.save(row);
      return 'taken';
    }
    const startMs = clock.now();
    if ((this.restUntilMs.get(pairName(pair)) ?? 0) > startMs) return 'too-many';
    if (!this.settled.take(pairName(pair), startMs)) return 'too-many';
    const [own] = await results.read(statement.block, pair);
    this.rest(pair, startMs);
    const answer = compared(await withStatement(this.parts, row, own?.list ?? []));
    // The other party has ours: it says this because it had it.
    if (answer.state === 'agreed' && isReply) return 'repeated';
    await store.save(answer);
    return 'taken';
  }

  private rest(pair: KeyPair, startMs: number): void {
    const nowMs = this.parts.clock.now();
    this.restUntilMs.delete(pairName(pair));
    this.restUntilMs.set(pairName(pair), nowMs + REST_FACTOR * (nowMs - startMs));
    const [oldest] = this.restUntilMs.keys();
    if (this.restUntilMs.size > MAX_COUNTED && oldest !== undefined) this.restUntilMs.delete(oldest);
  }

  /** One about a block that is open here. */
  private async compare(row: AgreementBlock, { statement, signed }: Genuine): Promise<Heard> {
    const { store, clock } = this.parts;
    const before = row.otherStatement && statedIn(row.otherStatement);
    if (before !== undefined && statement.revision < before.revision) return 'repeated';
    if (before?.digest === statement.digest) return this.tellAgain({ ...row, otherStatement: signed });
    const isContradicted = before?.revision === statement.revision;
    if (isContradicted) this.convict(row, statement);
    const otherBefore = row.otherBefore ?? row.otherStatement;
    const details = { otherList: undefined, otherOutcome: undefined };
    const next = compared({ ...row, ...details, otherStatement: signed, otherBefore });
    if (next.ownStatement === undefined) await store.save(next);
    else if (isSettled(next)) await store.settle(next);
    else {
      const isOpen = next.sent === 0 || isDifferent(next);
      const sent = Math.min(next.sent, 1);
      await store.save({ ...next, sent, nextAtMs: isOpen ? clock.now() : undefined });
    }
    return isContradicted ? 'contradicted' : 'taken';
  }

  /**
   * The party repeats a statement that differs from ours when it lacks our list.
   * @param row - with the statement as it came last, to which further details belong
   */
  private async tellAgain(row: AgreementBlock): Promise<Heard> {
    const { store, clock } = this.parts;
    const isAgain = isDifferent(row) && this.repeated.take(pairName(row), clock.now());
    await store.save(isAgain ? { ...row, sent: Math.min(row.sent, 1), nextAtMs: clock.now() } : row);
    return 'repeated';
  }

  private convict({ other, block }: AgreementBlock, { revision }: SignedBlockStatement): void {
    const about = { party: other, block, revision };
    this.parts.logger.error('a party has signed two statements that contradict each other', about);
  }

  private warnOfSigner({ other, lastSigner }: AgreementPair, { signer }: SignedBlockStatement): void {
    if (lastSigner === undefined || lastSigner === signer) return;
    const about = { party: other, node: signer, before: lastSigner };
    this.parts.logger.warn('the statements of a party are signed by another node key', about);
  }
}
