import { RLP } from '@ethereumjs/rlp';
import { headerFields } from '@tetrad/node-consensus-bft';
import type { Block, SignedTransaction } from '@tetrad/types';

type Item = Uint8Array | Item[];

/** A block as Ethereum encodes it: RLP([header, transactions, ommers [], withdrawals [] from Shanghai on]). */
export function encodeBlock(block: Block): Uint8Array {
  const body: Item[] = [headerFields(block.header), block.transactions.map(transactionItem), []];
  if (block.header.withdrawalsRoot !== undefined) body.push([]);
  return RLP.encode(body);
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
