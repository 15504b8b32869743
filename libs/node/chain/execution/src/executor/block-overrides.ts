import type { Address, Hash } from '@tetrad/types';
import type { BlockContext } from './block-context.js';

/** Block fields that a call or eth_simulateV1 overrides; absent members stay as they are. */
export interface BlockOverrides {
  readonly number?: number | undefined;
  /** In the units of the chain's headers. */
  readonly time?: bigint | undefined;
  readonly gasLimit?: bigint | undefined;
  readonly feeRecipient?: Address | undefined;
  readonly prevRandao?: Hash | undefined;
  /** Base fee per gas in wei. */
  readonly baseFeePerGas?: bigint | undefined;
  /** Blob base fee in wei. */
  readonly blobBaseFee?: bigint | undefined;
  readonly difficulty?: bigint | undefined;
}

/** The block with the overrides applied. */
export function overrideBlock(block: BlockContext, overrides: BlockOverrides): BlockContext {
  const baseFeePerGas = overrides.baseFeePerGas ?? block.baseFeePerGas;
  const blobBaseFee = overrides.blobBaseFee ?? block.blobBaseFee;
  const feeRecipient = overrides.feeRecipient ?? block.feeRecipient;
  return {
    number: overrides.number ?? block.number,
    ...timesOf(block, overrides.time),
    proposer: overrides.feeRecipient ?? block.proposer,
    ...(feeRecipient === undefined ? {} : { feeRecipient }),
    gasLimit: overrides.gasLimit ?? block.gasLimit,
    ...(baseFeePerGas === undefined ? {} : { baseFeePerGas }),
    ...(blobBaseFee === undefined ? {} : { blobBaseFee }),
    difficulty: overrides.difficulty ?? block.difficulty,
    mixHash: overrides.prevRandao ?? block.mixHash,
    findBlockHash: (number) => block.findBlockHash(number),
  };
}

/** Timestamps with the override; on a chain whose headers do not count in seconds, the forks of the block stay in force. */
function timesOf(
  { timestamp, evmTimestamp }: BlockContext,
  wanted: bigint | undefined,
): Pick<BlockContext, 'timestamp' | 'evmTimestamp'> {
  if (wanted === undefined) return evmTimestamp === undefined ? { timestamp } : { timestamp, evmTimestamp };
  return { timestamp: evmTimestamp === undefined ? Number(wanted) : timestamp, evmTimestamp: wanted };
}
