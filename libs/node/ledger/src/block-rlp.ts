import { RLP } from '@ethereumjs/rlp';
import { keccakHash } from '@tetrad/crypto';
import { decodeHeader, hashHeader, headerFields } from '@tetrad/node-consensus-bft';
import { decodeTransaction } from '@tetrad/node-execution';
import type { Block, Hash, SignedTransaction } from '@tetrad/types';
import { InvalidBlockError } from './invalid-block-error.js';

type Item = Uint8Array | Item[];

/** A block as Ethereum encodes it: RLP([header, transactions, ommers [], withdrawals [] from Shanghai on]). */
export function encodeBlock(block: Block): Uint8Array {
  const body: Item[] = [headerFields(block.header), block.transactions.map(transactionItem), []];
  if (block.header.withdrawalsRoot !== undefined) body.push([]);
  return RLP.encode(body);
}

/**
 * Reads what `encodeBlock` wrote; senders are recovered, nothing else is verified.
 *
 * In:    findKnown — a transaction with the hash whose sender was recovered before, if there is one
 * Fails: InvalidBlockError when the bytes are no block without ommers and withdrawals, TransactionDecodeError when a
 * transaction is none of the chain
 */
export function decodeBlock(
  bytes: Uint8Array,
  chainId: bigint,
  findKnown: (hash: Hash) => SignedTransaction | undefined = () => undefined,
): Block {
  const [headerItem, transactions, ommers, withdrawals, ...rest] = decodeBody(bytes);
  const isBlock =
    Array.isArray(headerItem) &&
    Array.isArray(transactions) &&
    isEmptyList(ommers) &&
    (withdrawals === undefined || isEmptyList(withdrawals)) &&
    rest.length === 0;
  if (!isBlock) throw new InvalidBlockError('invalid block encoding');
  const header = decodeHeader(RLP.encode(headerItem));
  if ((header.withdrawalsRoot === undefined) !== (withdrawals === undefined)) {
    throw new InvalidBlockError('invalid block encoding');
  }
  return {
    hash: hashHeader(header),
    header,
    transactions: transactions.map((item) => {
      const raw = Array.isArray(item) ? RLP.encode(item) : item;
      return findKnown(keccakHash(raw)) ?? decodeTransaction(raw, chainId);
    }),
  };
}

function decodeBody(bytes: Uint8Array): readonly Item[] {
  try {
    const decoded = RLP.decode(bytes) as Item;
    if (Array.isArray(decoded)) return decoded;
  } catch {
    // Falls through to the one error that readers of blocks know.
  }
  throw new InvalidBlockError('invalid block encoding');
}

function isEmptyList(item: Item | undefined): boolean {
  return Array.isArray(item) && item.length === 0;
}

/** A typed transaction is a byte string inside a block, a legacy one the list itself. */
function transactionItem({ type, raw }: SignedTransaction): Item {
  return type === 'legacy' ? (RLP.decode(raw) as Item) : raw;
}

/** Bytes of the block's encoding. Cost: none of its transactions is encoded again. */
export function blockSize(block: Block): number {
  const header = RLP.encode(headerFields(block.header)).length;
  const transactions = block.transactions.reduce(
    (sum, { type, raw }) => sum + (type === 'legacy' ? raw.length : raw.length + prefixLength(raw.length)),
    0,
  );
  const lists = block.header.withdrawalsRoot === undefined ? 1 : 2;
  const content = header + transactions + prefixLength(transactions) + lists;
  return content + prefixLength(content);
}

/** Bytes in front of an RLP string or list with so many bytes of content. */
function prefixLength(content: number): number {
  if (content <= 55) return 1;
  return 1 + Math.ceil(Math.log2(content + 1) / 8);
}
