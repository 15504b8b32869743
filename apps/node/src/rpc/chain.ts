import type { FeeHistory, ethChainMethods } from '@tetrad/api-node';
import { effectiveGasPrice } from '@tetrad/api-node';
import type { Handlers } from '@tetrad/rpc';
import { RefusalError, type Block, type MinedReceipt } from '@tetrad/types';
import type { NodeParts } from './node-parts.js';
import { BlockResolver } from './resolve-block.js';

/** eth/68, the newest version of the wire protocol that clients know. */
const PROTOCOL_VERSION = 68;
/** Blocks of one fee history, as in other clients. */
const MAX_FEE_HISTORY = 1024;

export function chainHandlers(parts: NodeParts): Handlers<typeof ethChainMethods> {
  const { ledger, peers, consensus, identity, sender } = parts;
  const blocks = new BlockResolver(parts);
  return {
    eth_chainId: () => ledger.genesis.chainId,
    eth_blockNumber: () => ledger.head().header.number,
    eth_syncing: () => peers.syncProgress() ?? (false as const),
    eth_mining: () => consensus !== undefined,
    eth_hashrate: () => 0n,
    eth_coinbase: () => identity.address,
    eth_protocolVersion: () => PROTOCOL_VERSION,
    eth_accounts: () => [...sender.accounts()],
    eth_gasPrice: () => 0n,
    eth_maxPriorityFeePerGas: () => 0n,
    eth_blobBaseFee: () => 1n,
    async eth_feeHistory([blockCount, newestBlock, percentiles]) {
      const newest = await blocks.numberOf(newestBlock);
      if (newest > ledger.head().header.number) {
        throw new RefusalError(
          'BLOCK_NOT_FOUND',
          `request beyond head block: requested ${newest}, head ${ledger.head().header.number}`,
        );
      }
      const count = Math.min(blockCount, MAX_FEE_HISTORY, newest + 1);
      const range = await Promise.all(
        Array.from({ length: count }, (_, index) => blocks.get(newest - count + 1 + index)),
      );
      return feeHistory(parts, range, { oldest: newest - count + 1, percentiles });
    },
  };
}

/** The base fee of the next block stands behind those of the range: 0, like all of them. */
async function feeHistory(
  { ledger }: NodeParts,
  range: readonly Block[],
  { oldest, percentiles }: { oldest: number; percentiles: readonly number[] | undefined },
): Promise<FeeHistory> {
  const fees = range.map(({ header }) => header.baseFeePerGas ?? 0n);
  return {
    oldestBlock: range.length === 0 ? 0 : oldest,
    baseFeePerGas: range.length === 0 ? [] : [...fees, 0n],
    gasUsedRatio: range.map(({ header }) => Number(header.gasUsed) / Number(header.gasLimit)),
    ...(percentiles === undefined || percentiles.length === 0
      ? {}
      : {
          reward: await Promise.all(
            range.map(async (block) => tipsOf(await ledger.listReceipts(block), percentiles)),
          ),
        }),
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
