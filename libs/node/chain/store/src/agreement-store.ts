import { clientBytes } from '@tetrad/db';
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
import {
  PENDING,
  blockKey,
  forgetOldest,
  hastenRepeats,
  saveBlock,
  saveBlocks,
  saveContracts,
  stateAgain,
} from './agreement-writes.js';
import { listDiverged, type DivergedContract } from './diverged-contracts.js';
import type { InstanceLock } from './instance-lock.js';
import type { NodeClient } from './node-client.js';

/** What this node states of a block, and to whom. */
export interface BlockAgreement {
  readonly number: number;
  readonly rows: readonly AgreementBlock[];
  readonly contracts: readonly AgreementContract[];
  /** Pairs whose row of the block is dropped. */
  readonly dropped: readonly KeyPair[];
}

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
    private readonly client: NodeClient,
    private readonly lock: InstanceLock,
  ) {}

  /** The last block that was stated; undefined before the first. */
  async findHead(): Promise<number | undefined> {
    const row = await (await this.client.calls()).privateAgreementHead.findUnique({ where: { id: 1 } });
    return row === null ? undefined : Number(row.number);
  }

  /**
   * Moves the head, and stores what is stated of the block, in one transaction. A row of before is replaced; the first of a
   * pair begins it.
   */
  async stateBlock({ number, rows, contracts, dropped }: BlockAgreement): Promise<void> {
    await this.lock.hold();
    await this.client.transaction(async (calls) => {
      const head = { number: BigInt(number) };
      await calls.privateAgreementHead.upsert({
        where: { id: 1 },
        create: { id: 1, ...head },
        update: head,
      });
      if (dropped.length > 0)
        await calls.privateAgreementBlock.deleteMany({
          where: { blockNumber: head.number, OR: dropped.map(pairColumns) },
        });
      const pairs = rows.map((row) => ({ ...pairColumns(row), since: BigInt(row.block) }));
      await calls.privateAgreementPair.createMany({ data: pairs, skipDuplicates: true });
      await saveBlocks(calls, rows);
      await forgetOldest(calls, rows);
      await saveContracts(calls, contracts);
    });
  }

  /** Moves the head over blocks of which nothing is stated. */
  async skipTo(number: number): Promise<void> {
    await this.stateBlock({ number, rows: [], contracts: [], dropped: [] });
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

  /** Blocks of a range, both ends included, that have private receipts, or about which a party has stated something. */
  async listBusy(from: number, to: number): Promise<number[]> {
    const calls = await this.client.calls();
    const range = {
      by: ['blockNumber' as const],
      where: { blockNumber: { gte: BigInt(from), lte: BigInt(to) } },
    };
    const [receipts, rows] = await Promise.all([
      calls.privateReceipt.groupBy(range),
      calls.privateAgreementBlock.groupBy(range),
    ]);
    return [...receipts, ...rows].map(({ blockNumber }) => Number(blockNumber));
  }

  /** Rows of which something is to be sent by now, in the order in which they became due. */
  async listDue(nowMs: number, max: number): Promise<AgreementBlock[]> {
    const calls = await this.client.calls();
    const rows = await calls.privateAgreementBlock.findMany({
      where: { nextAt: { lte: new Date(nowMs) } },
      orderBy: [{ nextAt: 'asc' }, { blockNumber: 'asc' }],
      take: max,
    });
    return rows.map(toBlock);
  }

  /** Stores a row, in place of one of before. */
  async save(row: AgreementBlock): Promise<void> {
    await this.lock.hold();
    await saveBlock(await this.client.calls(), row);
  }

  /** Forgets the row of a block on which both agree, in one transaction with the pair. */
  async settle(row: KeyPair & Pick<AgreementBlock, 'block'>): Promise<void> {
    await this.lock.hold();
    const agreedBlock = BigInt(row.block);
    await this.client.transaction(async (calls) => {
      await calls.privateAgreementBlock.deleteMany({
        where: { ...pairColumns(row), blockNumber: agreedBlock },
      });
      await calls.privateAgreementPair.updateMany({
        where: {
          ...pairColumns(row),
          OR: [{ agreedBlock: null }, { agreedBlock: { lt: agreedBlock } }],
        },
        data: { agreedBlock },
      });
    });
  }

  /**
   * Notes that a statement of the other party has come.
   * @param heard.signer - node key, 128 hex digits
   */
  async hear(pair: KeyPair, heard: { readonly signer: string; readonly atMs: number }): Promise<void> {
    await this.lock.hold();
    const calls = await this.client.calls();
    const signer = clientBytes(Buffer.from(heard.signer, 'hex'));
    const where = pairColumns(pair);
    await calls.privateAgreementPair.updateMany({
      where: { ...where, firstSigner: null },
      data: { firstSigner: signer },
    });
    await calls.privateAgreementPair.updateMany({
      where,
      data: { lastSigner: signer, heardAt: new Date(heard.atMs), carriesMessages: true },
    });
  }

  /** Puts off what is to be sent to a party, and notes whether its manager carries messages. */
  async putOff(pair: KeyPair, untilMs: number, carriesMessages: boolean): Promise<void> {
    await this.lock.hold();
    const where = pairColumns(pair);
    await this.client.transaction(async (calls) => {
      await calls.privateAgreementPair.updateMany({ where, data: { carriesMessages } });
      await calls.privateAgreementBlock.updateMany({
        where: { ...where, nextAt: { lt: new Date(untilMs) } },
        data: { nextAt: new Date(untilMs) },
      });
    });
  }

  /**
   * Has what the party has not answered sent at once, unless it is sent soon.
   * @param max - of these rows, those that were sent least often
   */
  async hasten(pair: KeyPair, nowMs: number, max: number): Promise<void> {
    await this.lock.hold();
    await hastenRepeats(await this.client.calls(), pair, { nowMs, max });
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
  async countAwaited(heardSinceMs: number): Promise<number> {
    const calls = await this.client.calls();
    const pairs = await calls.privateAgreementPair.findMany({
      where: { heardAt: { gte: new Date(heardSinceMs) } },
      select: { own: true, other: true },
      take: MAX_LISTED,
    });
    if (pairs.length === 0) return 0;
    return calls.privateAgreementBlock.count({ where: { state: PENDING, OR: pairs } });
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
