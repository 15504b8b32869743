import { logsBloom } from '@tetrad/node-block';
import { isPrivateTransaction } from '@tetrad/node-execution';
import type { StoredPrivateReceipt, PrivateStateStore } from '@tetrad/node-store';
import type { Block, Hash, MinedLog, MinedReceipt, SignedTransaction } from '@tetrad/types';
import type { DecodeTransaction } from '../execution/marked-transaction.js';
import { hasPrivateWork, isMarker } from '../execution/private-block.js';
import type { PrivacySwitches } from '../following/privacy-switches.js';
import type { PrivateStateView } from './private-state-view.js';

/** Public receipts, which are the same on every node. */
export interface PublicReceipts {
  findReceipt(hash: Hash): Promise<MinedReceipt | undefined>;
  listReceipts(block: Block): Promise<readonly MinedReceipt[]>;
}

export interface ChainReceiptsParts {
  readonly chain: PublicReceipts;
  readonly switchesAt: (blockNumber: number) => PrivacySwitches;
  readonly decode: DecodeTransaction;
  /** Whether receipts of private transactions include the return data of reverts. */
  readonly showsRevertReasons?: boolean;
  /** Absent on a node without private state, which is a party to nothing. */
  readonly privateState:
    | {
        readonly view: Pick<PrivateStateView, 'demand'>;
        readonly store: Pick<PrivateStateStore, 'findReceipt' | 'listReceipts' | 'listLogs'>;
      }
    | undefined;
}

/**
 * Receipts for clients of this node: the private receipt of a private transaction to which the node is a party, otherwise the
 * public receipt. All methods fail with RequestError PRIVATE_STATE_NOT_AVAILABLE while private state is behind the block.
 */
export class ChainReceipts {
  constructor(private readonly parts: ChainReceiptsParts) {}

  async find(hash: Hash): Promise<MinedReceipt | undefined> {
    const mined = await this.parts.chain.findReceipt(hash);
    return mined && this.shown(mined);
  }

  /** What clients get for a public receipt. */
  async shown(mined: MinedReceipt): Promise<MinedReceipt> {
    if (!this.isPrivateHere(mined)) return this.withMark(mined);
    const row = await this.findRow(mined);
    return row === undefined ? mined : this.merge(mined, row, await this.listLogsOf(row));
  }

  /** In the order of the block. */
  async list(block: Block): Promise<readonly MinedReceipt[]> {
    const { chain, privateState } = this.parts;
    const mined = await chain.listReceipts(block);
    if (!this.hasPrivateWork(block)) return mined;
    const { number } = block.header;
    await privateState?.view.demand(number);
    const rows = new Map((await privateState?.store.listReceipts(number))?.map((row) => [row.index, row]));
    const logs = rows.size === 0 ? [] : await this.listLogs(block);
    return mined.map((one, index) => {
      const row = rows.get(index);
      if (row === undefined || !this.isPrivateHere(one)) return this.withMark(one);
      return this.merge(
        one,
        row,
        logs.filter(({ transactionIndex }) => transactionIndex === index).map(({ log }) => log),
      );
    });
  }

  /**
   * The receipt of the transaction behind a marker, with the position of the marker.
   * @returns undefined when the transaction is not a marker, or this node is not a party
   */
  async findMarked(marker: MinedReceipt): Promise<MinedReceipt | undefined> {
    if (!this.isMarker(marker) || this.parts.privateState === undefined) return undefined;
    const row = await this.findRow(marker);
    if (row === undefined) return undefined;
    const transaction = this.decodeOwn(row.raw);
    if (transaction === undefined) return undefined;
    const nothing = { type: transaction.type, gasUsed: 0n, cumulativeGasUsed: 0n } as const;
    const receipt = { ...marker.receipt, ...nothing };
    return this.merge(
      { transaction, position: marker.position, receipt, firstLogIndex: 0 },
      row,
      await this.listLogsOf(row),
    );
  }

  /** Logs of private transactions of a block that was followed, in their order. */
  async listLogs({ hash, header, transactions }: Block): Promise<MinedLog[]> {
    const rows = (await this.parts.privateState?.store.listLogs(header.number)) ?? [];
    return rows.map(({ address, topics, data, transactionIndex, index }) => ({
      log: { address, topics, data },
      transactionIndex,
      logIndex: index,
      blockHash: hash,
      blockNumber: header.number,
      blockTimestamp: header.timestamp,
      transactionHash: (transactions[transactionIndex] as SignedTransaction).hash,
    }));
  }

  /** Whether the block may have changed private state. */
  hasPrivateWork({ header, transactions }: Block): boolean {
    const { markers } = this.parts.switchesAt(header.number);
    return hasPrivateWork(transactions, { isPrivate: isPrivateTransaction, hasMarkers: markers });
  }

  /** Undefined for a restricted transaction, which other methods serve. */
  private decodeOwn(raw: Uint8Array): SignedTransaction | undefined {
    try {
      return this.parts.decode(raw);
    } catch {
      return undefined;
    }
  }

  /** Whether it is a privacy marker by the rules of its block. */
  isMarker({ transaction, position }: MinedReceipt): boolean {
    return isMarker(transaction, this.parts.switchesAt(position.blockNumber).markers);
  }

  private isPrivateHere({ transaction }: MinedReceipt): boolean {
    return this.parts.privateState !== undefined && isPrivateTransaction(transaction);
  }

  /** The receipt, with `isPrivacyMarker` set for a marker. */
  withMark(mined: MinedReceipt): MinedReceipt {
    return this.isMarker(mined) ? { ...mined, isPrivacyMarker: true } : mined;
  }

  private async findRow({ transaction, position }: MinedReceipt): Promise<StoredPrivateReceipt | undefined> {
    await this.parts.privateState?.view.demand(position.blockNumber);
    return this.parts.privateState?.store.findReceipt(transaction.hash);
  }

  private async listLogsOf({ blockNumber, index, logCount }: StoredPrivateReceipt) {
    if (logCount === 0) return [];
    const rows = (await this.parts.privateState?.store.listLogs(blockNumber)) ?? [];
    return rows.filter((row) => row.transactionIndex === index);
  }

  private merge(
    mined: MinedReceipt,
    { status, contractAddress, firstLog, returnData }: StoredPrivateReceipt,
    own: MinedReceipt['receipt']['logs'],
  ): MinedReceipt {
    const logs = own.map(({ address, topics, data }) => ({ address, topics, data }));
    const isShown = this.parts.showsRevertReasons === true && returnData.length > 0;
    return {
      ...mined,
      receipt: {
        ...mined.receipt,
        status,
        logs,
        logsBloom: logsBloom(logs),
        ...(contractAddress === undefined ? {} : { contractAddress }),
        ...(isShown ? { revertReason: returnData } : {}),
      },
      firstLogIndex: firstLog,
    };
  }
}
