import { InvalidBlockError, decodeBareReceipt, encodeReceipt } from '@tetrad/node-block';
import { contractAddressOf, wordFromAddress } from '@tetrad/node-evm';
import { orderedTrieRoot } from '@tetrad/node-execution';
import type { WirePast } from '@tetrad/node-peer';
import { copyOf } from '@tetrad/rlp';
import { keccakHash } from '@tetrad/crypto';
import type { Block, Hash, Receipt, SealedHeader, SignedTransaction } from '@tetrad/types';

/** Reads a signed transaction and recovers its sender; the hash is that of the bytes. */
export type DecodeTransaction = (raw: Uint8Array, hash: Hash) => Promise<SignedTransaction>;

/** A block that was not executed here, and its receipts. */
export interface PastBlock {
  readonly block: Block;
  readonly receipts: readonly Receipt[];
}

/**
 * Reads what a peer gave of a block, and shows by the roots of the header that it is all of it.
 *
 * Cost: a public key recovery of each transaction, after the root has shown that they are those of the block
 *
 * @throws InvalidBlockError when it is not what the header commits to
 */
export async function readPastBlock(
  { header, hash }: SealedHeader,
  { transactions: raws, receipts: encoded }: WirePast,
  decode: DecodeTransaction,
): Promise<PastBlock> {
  if (raws.length !== encoded.length) throw new InvalidBlockError('transactions without receipts');
  if (orderedTrieRoot(raws) !== header.transactionsRoot)
    throw new InvalidBlockError(`transactions of another block than ${header.number}`);
  const transactions = await Promise.all(raws.map((raw) => decode(copyOf(raw), keccakHash(raw))));
  const receipts: Receipt[] = [];
  let gasBefore = 0n;
  for (const [index, transaction] of transactions.entries()) {
    const receipt = decodeBareReceipt(encoded[index] as Uint8Array, transaction.type);
    const gasUsed = receipt.cumulativeGasUsed - gasBefore;
    receipts.push({ ...receipt, gasUsed, ...creationOf(transaction) });
    gasBefore = receipt.cumulativeGasUsed;
  }
  if (orderedTrieRoot(receipts.map(encodeReceipt)) !== header.receiptsRoot)
    throw new InvalidBlockError(`receipts of another block than ${header.number}`);
  return { block: { header, hash, transactions }, receipts };
}

/** It has an address whether the creation succeeded or not. */
function creationOf({ to, sender, nonce }: SignedTransaction): Pick<Receipt, 'contractAddress'> {
  return to === undefined ? { contractAddress: contractAddressOf(wordFromAddress(sender), nonce) } : {};
}
