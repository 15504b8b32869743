import type { Address, PtmKey } from '@tetrad/types';
import { pairColumns } from './agreement-rows.js';
import type { InstanceLock } from './instance-lock.js';
import type { NodeCalls, NodeClient } from './node-client.js';
import {
  contractColumn,
  keyColumn,
  noticeColumns,
  repairColumns,
  toNotice,
  toPermit,
  toRepair,
  toSummary,
  untoldColumn,
  type RepairNotice,
  type RepairPermit,
  type RepairSummary,
  type StoredRepair,
} from './repair-rows.js';

/** Rows of one answer. */
const MAX_LISTED = 1_000;
/** Notices of a pair that are kept; of more, those of the earliest blocks go. */
const MAX_NOTICES = 64;

/** How many repairs there are. */
export interface RepairCounts {
  readonly here: number;
  readonly told: number;
  /** When the newest of this node was made, and when the newest of another party was told. */
  readonly lastHereMs: number | undefined;
  readonly lastToldMs: number | undefined;
}

/** Stores a repair, or keeps the one that is there: private state that was set back is repaired again as it was. */
export async function appendRepair(calls: NodeCalls, repair: StoredRepair): Promise<void> {
  await calls.privateRepair.createMany({ data: [repairColumns(repair)], skipDuplicates: true });
}

/** Contracts whose state was taken from other parties. */
export class RepairStore {
  constructor(
    private readonly client: NodeClient,
    private readonly lock: InstanceLock,
  ) {}

  /** Blocks with a repair, ascending. */
  async listBlocks(): Promise<number[]> {
    const calls = await this.client.calls();
    const rows = await calls.privateRepair.findMany({
      select: { blockNumber: true },
      orderBy: { blockNumber: 'asc' },
    });
    return [...new Set(rows.map(({ blockNumber }) => Number(blockNumber)))];
  }

  /** With the whole contracts. */
  async listAt(block: number): Promise<StoredRepair[]> {
    const calls = await this.client.calls();
    const rows = await calls.privateRepair.findMany({
      where: { blockNumber: BigInt(block) },
      orderBy: { contract: 'asc' },
    });
    return rows.map(toRepair);
  }

  /** The newest first. Bounds: 1,000 */
  async list(contract?: Address): Promise<RepairSummary[]> {
    const calls = await this.client.calls();
    const rows = await calls.privateRepair.findMany({
      where: contract === undefined ? {} : { contract: contractColumn(contract) },
      omit: { payloadBefore: true, payloadAfter: true },
      orderBy: [{ blockNumber: 'desc' }, { contract: 'asc' }],
      take: MAX_LISTED,
    });
    return rows.map(toSummary);
  }

  /** Repairs of which a party has yet to be told. Bounds: 1,000 */
  async listUntold(): Promise<RepairSummary[]> {
    const calls = await this.client.calls();
    const rows = await calls.privateRepair.findMany({
      where: { untold: { not: untoldColumn([]) } },
      omit: { payloadBefore: true, payloadAfter: true },
      take: MAX_LISTED,
    });
    return rows.map(toSummary);
  }

  /** @param untold - the parties that have yet to be told */
  async setUntold({ block, contract }: RepairSummary, untold: readonly PtmKey[]): Promise<void> {
    await this.lock.hold();
    const calls = await this.client.calls();
    await calls.privateRepair.updateMany({
      where: { blockNumber: BigInt(block), contract: contractColumn(contract) },
      data: { untold: untoldColumn(untold) },
    });
  }

  /** Stores what another party says, in place of what it said of the same block before. */
  async hear(notice: RepairNotice): Promise<void> {
    await this.lock.hold();
    const columns = noticeColumns(notice);
    const { contract, own, other, blockNumber } = columns;
    await this.client.transaction(async (calls) => {
      await calls.privateRepairNotice.upsert({
        where: { contract_own_other_blockNumber: { contract, own, other, blockNumber } },
        create: columns,
        update: columns,
      });
      const where = pairColumns(notice);
      const kept = await calls.privateRepairNotice.findMany({
        where,
        orderBy: { blockNumber: 'desc' },
        skip: MAX_NOTICES - 1,
        take: 1,
      });
      const [oldest] = kept;
      if (oldest !== undefined)
        await calls.privateRepairNotice.deleteMany({
          where: { ...where, blockNumber: { lt: oldest.blockNumber } },
        });
    });
  }

  /** What other parties say, the newest block first. Bounds: 1,000 */
  async listNotices(contract?: Address): Promise<RepairNotice[]> {
    const calls = await this.client.calls();
    const rows = await calls.privateRepairNotice.findMany({
      where: contract === undefined ? {} : { contract: contractColumn(contract) },
      orderBy: [{ blockNumber: 'desc' }, { own: 'asc' }, { other: 'asc' }],
      take: MAX_LISTED,
    });
    return rows.map(toNotice);
  }

  /** Allows a party the whole state of a contract until a time; one that has passed takes it back. */
  async permit({ contract, other, untilMs }: RepairPermit): Promise<void> {
    await this.lock.hold();
    const calls = await this.client.calls();
    const key = { contract: contractColumn(contract), other: keyColumn(other) };
    const until = new Date(untilMs);
    await calls.privateRepairPermit.upsert({
      where: { contract_other: key },
      create: { ...key, until },
      update: { until },
    });
  }

  async mayHaveWhole(contract: Address, other: PtmKey, nowMs: number): Promise<boolean> {
    const calls = await this.client.calls();
    const key = { contract: contractColumn(contract), other: keyColumn(other) };
    const row = await calls.privateRepairPermit.findUnique({ where: { contract_other: key } });
    return row !== null && row.until.getTime() > nowMs;
  }

  /** Those that are in force. Bounds: 1,000 */
  async listPermits(nowMs: number): Promise<RepairPermit[]> {
    const calls = await this.client.calls();
    const rows = await calls.privateRepairPermit.findMany({
      where: { until: { gt: new Date(nowMs) } },
      orderBy: [{ contract: 'asc' }, { other: 'asc' }],
      take: MAX_LISTED,
    });
    return rows.map(toPermit);
  }

  async count(): Promise<RepairCounts> {
    const { privateRepair, privateRepairNotice } = await this.client.calls();
    const here = await privateRepair.aggregate({ _count: true, _max: { madeAt: true } });
    const told = await privateRepairNotice.aggregate({ _count: true, _max: { heardAt: true } });
    return {
      here: here._count,
      told: told._count,
      lastHereMs: here._max.madeAt?.getTime(),
      lastToldMs: told._max.heardAt?.getTime(),
    };
  }
}
