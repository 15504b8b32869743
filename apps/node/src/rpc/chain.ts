import type { FeeHistory, ethChainMethods } from '@tetrad/api-node';
import { effectiveGasPrice } from '@tetrad/api-node';
import { BlockFinder } from '@tetrad/node-queries';
import type { Handlers } from '@tetrad/rpc';
import { RefusalError, type MinedReceipt } from '@tetrad/types';
import type { NodeParts } from './node-parts.js';

/** eth/68, the newest version of the wire protocol that clients know. */
const PROTOCOL_VERSION = 68;
/** Blocks of one fee history, as in other clients. */
const MAX_FEE_HISTORY = 1024;

export function chainHandlers(
  parts: Pick<NodeParts, 'consensus' | 'identity' | 'ledger' | 'peers' | 'sender'>,
): Handlers<typeof ethChainMethods> {
  const { ledger, peers, consensus, identity, sender } = parts;
  const blocks = new BlockFinder(parts.ledger);
  return {
    eth_chainId: () => ledger.genesis.chainId,
    eth_blockNumber: () => ledger.head().header.number,
    eth_syncing: () => peers.syncProgress() ?? (false as const),
    eth_mining: () => consensus?.isActive() === true,
    eth_hashrate: () => 0n,
    eth_coinbase: () => identity.address,
    eth_protocolVersion: () => PROTOCOL_VERSION,
    eth_accounts: () => [...sender.accounts()],
    eth_gasPrice: () => 0n,
    eth_maxPriorityFeePerGas: () => 0n,
    eth_blobBaseFee: () => 1n,
    async eth_feeHistory([blockCount, newestBlock, percentiles], context) {
      const isAbandoned = () => context.isAbandoned;
      const newest = await blocks.numberOf(newestBlock);
      if (newest > ledger.head().header.number) {
        throw new RefusalError(
          'BLOCK_NOT_FOUND',
          `request beyond head block: requested ${newest}, head ${ledger.head().header.number}`,
        );
      }
      const count = Math.min(blockCount, MAX_FEE_HISTORY, newest + 1);
      return feeHistory(parts, { oldest: newest - count + 1, count, percentiles, isAbandoned });
    },
  };
}

/** Blocks that are read at a time; of each no more is kept than the answer says. */
const BLOCKS_AT_A_TIME = 16;

interface BlockFees {
  readonly baseFee: bigint;
  readonly gasUsedRatio: number;
  readonly tips: readonly bigint[];
}

/** The base fee of the next block stands behind those of the range: 0, like all of them. */
async function feeHistory(
  parts: Pick<NodeParts, 'ledger'>,
  { oldest, count, percentiles = [], isAbandoned }: FeeRange,
): Promise<FeeHistory> {
  const fees: BlockFees[] = [];
  while (fees.length < count && !isAbandoned()) {
    const length = Math.min(BLOCKS_AT_A_TIME, count - fees.length);
    const from = oldest + fees.length;
    fees.push(
      ...(await Promise.all(Array.from({ length }, (_, index) => feesOf(parts, from + index, percentiles)))),
    );
  }
  return {
    oldestBlock: count === 0 ? 0 : oldest,
    baseFeePerGas: count === 0 ? [] : [...fees.map(({ baseFee }) => baseFee), 0n],
    gasUsedRatio: fees.map(({ gasUsedRatio }) => gasUsedRatio),
    ...(percentiles.length === 0 ? {} : { reward: fees.map(({ tips }) => [...tips]) }),
  };
}

interface FeeRange {
  readonly oldest: number;
  readonly count: number;
  readonly percentiles: readonly number[] | undefined;
  /** Whether nobody waits for the answer any more. */
  readonly isAbandoned: () => boolean;
}

async function feesOf(
  parts: Pick<NodeParts, 'ledger'>,
  number: number,
  percentiles: readonly number[],
): Promise<BlockFees> {
  const block = await new BlockFinder(parts.ledger).get(number);
  const { baseFeePerGas = 0n, gasUsed, gasLimit } = block.header;
  const receipts = percentiles.length === 0 ? [] : await parts.ledger.listReceipts(block);
  return {
    baseFee: baseFeePerGas,
    gasUsedRatio: Number(gasUsed) / Number(gasLimit),
    tips: tipsOf(receipts, percentiles),
  };
}

/** At each percentile of the gas of the block, the tip that a transaction there paid. */
function tipsOf(receipts: readonly MinedReceipt[], percentiles: readonly number[]): bigint[] {
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
