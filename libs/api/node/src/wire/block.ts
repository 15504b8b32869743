import { addressCodec, dataCodec, hashCodec, indexCodec, quantityCodec, uint64Codec } from '@tetrad/rpc';
import type { Block, SealedHeader } from '@tetrad/types';
import { z } from 'zod';
import { transactionCodec, viewTransaction } from './transaction.js';

/** Header members in the order in which Ethereum clients write them; those of later forks may be absent. */
const headerMembers = {
  number: indexCodec,
  hash: hashCodec,
  parentHash: hashCodec,
  nonce: dataCodec,
  mixHash: hashCodec,
  sha3Uncles: hashCodec,
  logsBloom: dataCodec,
  transactionsRoot: hashCodec,
  stateRoot: hashCodec,
  receiptsRoot: hashCodec,
  miner: addressCodec,
  difficulty: quantityCodec,
  totalDifficulty: quantityCodec.optional(),
  extraData: dataCodec,
  gasLimit: quantityCodec,
  gasUsed: quantityCodec,
  /** Seconds since the epoch. */
  timestamp: uint64Codec,
  baseFeePerGas: quantityCodec.optional(),
  withdrawalsRoot: hashCodec.optional(),
  blobGasUsed: quantityCodec.optional(),
  excessBlobGas: quantityCodec.optional(),
  parentBeaconBlockRoot: hashCodec.optional(),
  requestsHash: hashCodec.optional(),
};

/** A header, as `newHeads` subscriptions show it. */
export const headerCodec = z.object(headerMembers);

const withdrawalCodec = z.object({
  index: indexCodec,
  validatorIndex: indexCodec,
  address: addressCodec,
  amount: quantityCodec,
});

/** A block with hashes or with whole transactions, as the Ethereum execution API shows it. */
export const blockCodec = z.object({
  ...headerMembers,
  /** Bytes of the block's RLP. */
  size: indexCodec,
  transactions: z.union([z.array(hashCodec), z.array(transactionCodec)]),
  withdrawals: z.array(withdrawalCodec).optional(),
  uncles: z.array(hashCodec),
});

export type HeaderView = z.output<typeof headerCodec>;
export type BlockView = z.output<typeof blockCodec>;

/**
 * The view of a sealed header.
 * @param totalDifficulty - of all blocks up to it; absent in notifications, as in geth's
 */
export function viewHeader({ hash, header }: SealedHeader, totalDifficulty?: bigint): HeaderView {
  const { ommersHash, beneficiary, ...same } = header;
  const total = totalDifficulty === undefined ? {} : { totalDifficulty };
  return { ...same, ...total, hash, sha3Uncles: ommersHash, miner: beneficiary };
}

/**
 * The view of a block.
 * @param options.sizeBytes - length of the block's RLP
 * @param options.transactions - hashes alone, or whole transactions
 * @returns an empty list of withdrawals from Shanghai on; uncles are always empty under BFT or raft
 */
export function viewBlock(
  block: Block,
  {
    sizeBytes,
    transactions,
    totalDifficulty,
  }: { sizeBytes: number; transactions: 'hashes' | 'full'; totalDifficulty?: bigint },
): BlockView {
  return {
    ...viewHeader(block, totalDifficulty),
    size: sizeBytes,
    transactions:
      transactions === 'full' ? viewTransactions(block) : block.transactions.map(({ hash }) => hash),
    ...(block.header.withdrawalsRoot === undefined ? {} : { withdrawals: [] }),
    uncles: [],
  };
}

function viewTransactions({ hash, header, transactions }: Block) {
  return transactions.map((transaction, transactionIndex) =>
    viewTransaction(transaction, {
      blockHash: hash,
      blockNumber: header.number,
      blockTimestamp: header.timestamp,
      ...(header.baseFeePerGas === undefined ? {} : { baseFeePerGas: header.baseFeePerGas }),
      transactionIndex,
    }),
  );
}
