import {
  toWord,
  wordFromAddress,
  wordFromHash,
  type BlockContext as EvmBlock,
  type Missing,
  type Word,
} from '@tetrad/node-evm';
import type { BlockContext } from './block-context.js';

/** A block as the interpreter sees it: hashes of earlier blocks answer at once, or are fetched first. */
export class BlockView implements EvmBlock {
  readonly number: number;
  readonly timestamp: Word;
  readonly coinbase: Word;
  readonly feeRecipient: Word;
  readonly gasLimit: Word;
  readonly baseFee: Word;
  readonly difficulty: Word;
  readonly randomness: Word;
  readonly blobBaseFee: Word;
  readonly chainId: Word;
  private readonly hashes = new Map<number, Word>();

  constructor(
    private readonly block: BlockContext,
    chainId: bigint,
  ) {
    this.number = block.number;
    this.timestamp = block.evmTimestamp === undefined ? block.timestamp : toWord(block.evmTimestamp);
    this.coinbase = wordFromAddress(block.proposer);
    this.feeRecipient = wordFromAddress(block.feeRecipient ?? block.proposer);
    this.gasLimit = toWord(block.gasLimit);
    this.baseFee = toWord(block.baseFeePerGas ?? 0n);
    this.difficulty = toWord(block.difficulty);
    this.randomness = wordFromHash(block.mixHash);
    this.blobBaseFee = toWord(block.blobBaseFee ?? 1n);
    this.chainId = toWord(chainId);
  }

  blockHash(number: number): Word | undefined {
    return this.hashes.get(number);
  }

  async fetch(missing: readonly Missing[]): Promise<void> {
    for (const item of missing) {
      if (item.kind !== 'blockHash') continue;
      const hash = await this.block.findBlockHash(item.number);
      this.hashes.set(item.number, hash === undefined ? 0 : wordFromHash(hash));
    }
  }
}
