import { clientBytes, type Database } from '@tetrad/db';
import { addressToBytes, type Address } from '@tetrad/types';
import {
  pairColumns,
  toBlock,
  toContract,
  toOpenBlock,
  toPair,
  type AgreementBlock,
  type AgreementContract,
  type AgreementPair,
  type KeyPair,
  type OpenBlock,
} from './agreement-rows.js';
import { MAX_PENDING, PENDING, blockKey, forgetOldest, stateAgain } from './agreement-writes.js';
import { listDiverged, type DivergedContract } from './diverged-contracts.js';
import { findAgreement, findAgreementHead, type KnownPair } from './hot/find-agreement.js';
import { listBusyBlocks, listDueAgreement, type BusyBlock } from './hot/list-agreement.js';
import { saveAgreement } from './hot/save-agreement.js';
import { settleAgreement } from './hot/settle-agreement.js';
import { stateBlocks, type StatedBlocks } from './hot/state-blocks.js';
import { countAwaited, hastenPair, hearPair, putOffPair } from './hot/tell-pairs.js';
import type { InstanceLock } from './instance-lock.js';
import type { NodeClient } from './node-client.js';

/** How many blocks of all pairs are in each state that lasts. */
export interface AgreementCounts {
  /** Of parties whose managers carry messages. */
  readonly pending: number;
  readonly diverged: number;
  readonly undisclosed: number;
  /** When the block that is pending longest was stated. */
  readonly oldestPendingMs: number | undefined;
  /** Pairs of keys whose other manager carries messages, and of those whose does not. */
  readonly pairs: number;
  readonly pairsWithoutMessages: number;
}

/** Rows of one answer. */
const MAX_LISTED = 1_000;

/** What this node and other parties state of private transactions. */
export class AgreementStore {
  constructor(
    private readonly database: Pick<Database, 'pool'>,
    private readonly client: NodeClient,
    private readonly lock: InstanceLock,
  ) {}

  /** The last block that was stated; undefined before the first. */
  findHead(): Promise<number | undefined> {
    return findAgreementHead(this.database.pool);
  }

  /**
   * Moves the head, and stores what is stated of the blocks up to it, in one statement. A row of before is replaced; the first of a
   * pair begins it, and a contract that was shared stays so.
   */
  async stateBlocks(stated: StatedBlocks): Promise<void> {
    await this.lock.hold();
    const full = await stateBlocks(this.database.pool, stated, MAX_PENDING);
    if (full.length > 0) await this.client.transaction((calls) => forgetOldest(calls, full));
  }

  /** Moves the head over blocks of which nothing is stated. */
  async skipTo(number: number): Promise<void> {
    await this.stateBlocks({ number, rows: [], contracts: [], dropped: [] });
  }

  /** A pair with its row about the block; undefined for a pair that shares nothing. */
  findKnown(pair: KeyPair, block: number): Promise<KnownPair | undefined> {
    return findAgreement(this.database.pool, pair, block);
  }

  async findPair(pair: KeyPair): Promise<AgreementPair | undefined> {
    const calls = await this.client.calls();
    const row = await calls.privateAgreementPair.findUnique({ where: { own_other: pairColumns(pair) } });
    return row === null ? undefined : toPair(row);
  }

  async findBlock(pair: KeyPair, block: number): Promise<AgreementBlock | undefined> {
    const calls = await this.client.calls();
    const row = await calls.privateAgreementBlock.findUnique({ where: blockKey({ ...pair, block }) });
    return row === null ? undefined : toBlock(row);
  }

  /** The rows of all pairs about the block. */
  async listBlock(block: number): Promise<AgreementBlock[]> {
    const calls = await this.client.calls();
    const rows = await calls.privateAgreementBlock.findMany({ where: { blockNumber: BigInt(block) } });
    return rows.map(toBlock);
  }

  /**
   * Blocks of a range, both ends included, that have private receipts, or about which a party has stated something.
   * @param max - of the first ones
   */
  listBusy(range: { readonly from: number; readonly to: number }, max: number): Promise<BusyBlock[]> {
    return listBusyBlocks(this.database.pool, range, max);
  }

  /** Rows of which something is to be sent by now, in the order in which they became due. */
  listDue(nowMs: number, max: number): Promise<AgreementBlock[]> {
    return listDueAgreement(this.database.pool, nowMs, max);
  }

  /** Stores rows, each in place of one of before. */
  async save(rows: readonly AgreementBlock[]): Promise<void> {
    await this.lock.hold();
    await saveAgreement(this.database.pool, rows);
  }

  /** Forgets the rows of blocks on which both agree, in one statement with their pairs. */
  async settle(rows: readonly (KeyPair & Pick<AgreementBlock, 'block'>)[]): Promise<void> {
    await this.lock.hold();
    await settleAgreement(this.database.pool, rows);
  }

  /**
   * Notes that a statement of the other party has come.
   * @param heard.signer - node key, 128 hex digits
   */
  async hear(pair: KeyPair, heard: { readonly signer: string; readonly atMs: number }): Promise<void> {
    await this.lock.hold();
    await hearPair(this.database.pool, pair, heard);
  }

  /** Puts off what is to be sent to a party, and notes whether its manager carries messages. */
  async putOff(pair: KeyPair, untilMs: number, carriesMessages: boolean): Promise<void> {
    await this.lock.hold();
    await putOffPair(this.database.pool, pair, { ms: untilMs, carriesMessages });
  }

  /**
   * Has what the party has not answered sent at once, unless it is sent soon.
   * @param max - of these rows, those that were sent least often
   */
  async hasten(pair: KeyPair, nowMs: number, max: number): Promise<void> {
    await this.lock.hold();
    await hastenPair(this.database.pool, pair, { nowMs, max });
  }

  /** Rows of the pair without a statement of ours. */
  async countUnanswered(pair: KeyPair): Promise<number> {
    const calls = await this.client.calls();
    return calls.privateAgreementBlock.count({
      where: { ...pairColumns(pair), state: 'pending', ownStatement: null },
    });
  }

  /**
   * Has blocks stated again from one on, so that older ones than before are compared.
   * @param block - at most the head
   */
  async setBack(block: number, nowMs: number): Promise<void> {
    await this.lock.hold();
    await this.client.transaction((calls) => stateAgain(calls, { since: BigInt(block), nowMs }));
  }

  /** Pairs of keys that state results to each other. Bounds: 1,000 */
  async listPairs(): Promise<AgreementPair[]> {
    const calls = await this.client.calls();
    const rows = await calls.privateAgreementPair.findMany({
      orderBy: [{ own: 'asc' }, { other: 'asc' }],
      take: MAX_LISTED,
    });
    return rows.map(toPair);
  }

  /** Blocks on which parties do not agree, or not yet, from a block on. Bounds: 1,000 */
  async listOpen(since: number): Promise<OpenBlock[]> {
    const calls = await this.client.calls();
    const rows = await calls.privateAgreementBlock.findMany({
      where: { blockNumber: { gte: BigInt(since) }, state: { not: 'agreed' } },
      orderBy: [{ blockNumber: 'asc' }, { own: 'asc' }, { other: 'asc' }],
      select: { own: true, other: true, blockNumber: true, state: true, transaction: true },
      take: MAX_LISTED,
    });
    return rows.map(toOpenBlock);
  }

  /** Blocks on which the pair does not agree, with what both stated, the newest first. Bounds: 1,000 */
  async listDiffering(pair: KeyPair): Promise<AgreementBlock[]> {
    const calls = await this.client.calls();
    const rows = await calls.privateAgreementBlock.findMany({
      where: { ...pairColumns(pair), state: { not: 'agreed' } },
      orderBy: { blockNumber: 'desc' },
      take: MAX_LISTED,
    });
    return rows.map(toBlock);
  }

  /** Pending blocks of pairs of which the other party has stated something since. */
  countAwaited(heardSinceMs: number): Promise<number> {
    return countAwaited(this.database.pool, heardSinceMs);
  }

  /** The pairs that share the contract, as far as transactions of both have entered it. Bounds: 1,000 */
  async listContract(contract: Address): Promise<AgreementContract[]> {
    const calls = await this.client.calls();
    const rows = await calls.privateAgreementContract.findMany({
      where: { contract: clientBytes(addressToBytes(contract)) },
      orderBy: [{ own: 'asc' }, { other: 'asc' }],
      take: MAX_LISTED,
    });
    return rows.map(toContract);
  }

  /** Contracts whose newest transaction of a pair is in one of the newest 256 blocks on which the pair diverges. */
  async listDiverged(): Promise<DivergedContract[]> {
    return listDiverged(await this.client.calls());
  }

  async count(): Promise<AgreementCounts> {
    const calls = await this.client.calls();
    const { privateAgreementBlock: blocks, privateAgreementPair: pairs } = calls;
    const count = (state: string) => blocks.count({ where: { state } });
    const away = await pairs.findMany({ where: { carriesMessages: false }, take: MAX_LISTED });
    const pending = await blocks.aggregate({
      where: { state: PENDING, NOT: away.map(({ own, other }) => ({ own, other })) },
      _count: true,
      _min: { madeAt: true },
    });
    return {
      pending: pending._count,
      diverged: await count('diverged'),
      undisclosed: await count('undisclosed'),
      oldestPendingMs: pending._min.madeAt?.getTime(),
      pairs: await pairs.count({ where: { carriesMessages: true } }),
      pairsWithoutMessages: await pairs.count({ where: { carriesMessages: false } }),
    };
  }
}
