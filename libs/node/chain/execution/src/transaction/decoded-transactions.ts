import type { Hash, SignedTransaction } from '@tetrad/types';
import { LRUCache } from 'lru-cache';
import { decodeTransaction } from './decode-transaction.js';
import type { TransactionDecoder } from './transaction-decoder.js';

/** Transactions of some seconds of a busy chain; raw bytes, and about as much again for the fields of each. */
const MAX_REMEMBERED = 16_384;
const MAX_BYTES = 16 * 1_048_576;

export interface DecodedTransactionsOptions {
  readonly chainId: bigint;
  /** Decoder for transactions of blocks, many at once. */
  readonly decoder: Pick<TransactionDecoder, 'decode'>;
}

/**
 * Decodes transactions from peers, and caches the newest: on a chain with short blocks a transaction arrives in a block and
 * by gossip at about the same time, and recovering its sender is most of its cost to a node.
 *
 * It does not check whether a transaction is valid on the chain.
 */
export class DecodedTransactions {
  private readonly remembered = new LRUCache<Hash, SignedTransaction>({
    max: MAX_REMEMBERED,
    maxSize: MAX_BYTES,
    maxEntrySize: MAX_BYTES,
    sizeCalculation: ({ raw }) => Math.max(1, raw.length),
  });
  private readonly underWay = new Map<Hash, Promise<SignedTransaction>>();

  constructor(private readonly options: DecodedTransactionsOptions) {}

  /**
   * One of a block.
   * @param hash - of the bytes
   * @throws TransactionDecodeError
   */
  async ofBlock(raw: Uint8Array, hash: Hash): Promise<SignedTransaction> {
    const known = this.remembered.get(hash) ?? this.underWay.get(hash);
    if (known !== undefined) return known;
    const decoding = this.options.decoder.decode(raw, hash);
    this.underWay.set(hash, decoding);
    try {
      return this.remember(await decoding);
    } finally {
      this.underWay.delete(hash);
    }
  }

  /**
   * One that arrived alone; decoded on this thread, which is faster.
   * @param hash - of the bytes
   * @throws TransactionDecodeError
   */
  async ofGossip(raw: Uint8Array, hash: Hash): Promise<SignedTransaction> {
    const known = this.remembered.get(hash) ?? this.underWay.get(hash);
    return known ?? this.remember(decodeTransaction(raw, this.options.chainId, hash));
  }

  private remember(transaction: SignedTransaction): SignedTransaction {
    this.remembered.set(transaction.hash, transaction);
    return transaction;
  }
}
