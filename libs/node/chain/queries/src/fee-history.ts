import { effectiveGasPrice, type BlockNumberOrTag, type FeeHistory } from '@tetrad/api-node';
import { RequestError, type Block, type MinedReceipt } from '@tetrad/types';
import { BlockFinder } from './block-resolver.js';
import type { BlockView } from './chain-view.js';

/** Blocks of one fee history, as in other clients. */
const MAX_BLOCKS = 1024;
/** Blocks that are read at a time; only the values of the answer are kept of each. */
const BLOCKS_AT_A_TIME = 16;

/** Blocks, and the receipts in them. */
export interface FeeView extends BlockView {
  listReceipts(block: Block): Promise<readonly MinedReceipt[]>;
}

export interface FeeRequest {
  /** At most 1024 blocks are reported. */
  readonly blockCount: number;
  readonly newestBlock: BlockNumberOrTag;
  /** Ascending, from 0 to 100. */
  readonly percentiles?: readonly number[] | null | undefined;
  /** Asked before each page of blocks. */
  readonly giveWay: () => Promise<void> | undefined;
}

interface BlockFees {
  readonly baseFee: bigint;
  readonly gasUsedRatio: number;
  readonly tips: readonly bigint[];
}

/** Fees of a range of blocks. */
export class FeeHistoryQuery {
  private readonly blocks: BlockFinder;

  constructor(private readonly chain: FeeView) {
    this.blocks = new BlockFinder(chain);
  }

  /** @throws RequestError BLOCK_NOT_FOUND when the newest block lies above the head; as `giveWay` */
  async run({ blockCount, newestBlock, percentiles, giveWay }: FeeRequest): Promise<FeeHistory> {
    const newest = await this.blocks.numberOf(newestBlock);
    const head = this.chain.head().header.number;
    if (newest > head) {
      throw new RequestError(
        'BLOCK_NOT_FOUND',
        `request beyond head block: requested ${newest}, head ${head}`,
      );
    }
    const count = Math.min(blockCount, MAX_BLOCKS, newest + 1);
    const oldest = newest - count + 1;
    const wanted = percentiles ?? [];
    const fees: BlockFees[] = [];
    while (fees.length < count) {
      await giveWay();
      const length = Math.min(BLOCKS_AT_A_TIME, count - fees.length);
      const from = oldest + fees.length;
      const page = Array.from({ length }, (_, index) => this.feesOf(from + index, wanted));
      fees.push(...(await Promise.all(page)));
    }
    // The base fee of the next block follows those of the range: 0, like all of them.
    return {
      oldestBlock: count === 0 ? 0 : oldest,
      baseFeePerGas: count === 0 ? [] : [...fees.map(({ baseFee }) => baseFee), 0n],
      gasUsedRatio: fees.map(({ gasUsedRatio }) => gasUsedRatio),
      ...(wanted.length === 0 ? {} : { reward: fees.map(({ tips }) => [...tips]) }),
    };
  }

  private async feesOf(number: number, percentiles: readonly number[]): Promise<BlockFees> {
    const block = await this.blocks.get(number);
    const { baseFeePerGas = 0n, gasUsed, gasLimit } = block.header;
    const receipts = percentiles.length === 0 ? [] : await this.chain.listReceipts(block);
    return {
      baseFee: baseFeePerGas,
      gasUsedRatio: Number(gasUsed) / Number(gasLimit),
      tips: tipsOf(receipts, percentiles),
    };
  }
}

/** At each percentile of the gas of the block, the tip that a transaction there paid. */
function tipsOf(receipts: readonly MinedReceipt[], percentiles: readonly number[]): bigint[] {
  if (receipts.length === 0) return percentiles.map(() => 0n);
  const paid = receipts
    .map(({ transaction, position, receipt }) => ({
      tip: effectiveGasPrice(transaction, position.baseFeePerGas) - (position.baseFeePerGas ?? 0n),
      gas: receipt.gasUsed,
    }))
    .sort((a, b) => (a.tip < b.tip ? -1 : a.tip > b.tip ? 1 : 0));
  const total = Number(paid.reduce((sum, { gas }) => sum + gas, 0n));
  return percentiles.map((percentile) => {
    let seen = 0;
    const at = paid.find(({ gas }) => (seen += Number(gas)) >= (total * percentile) / 100);
    return at?.tip ?? 0n;
  });
}
