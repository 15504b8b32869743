import { hashWords } from './poseidon2.js';

/** A payment from one account to another until it is redeemed; in the tree of its batch there is only its hash. */
export interface MoneyOrder {
  /** 32 bits; 0 is the external account, from which deposits come. */
  readonly fromAccountId: number;
  readonly toAccountId: number;
  readonly tokenId: number;
  /** Below 2^64. */
  readonly amount: bigint;
  readonly blindingFactor: bigint;
}

/** Whose orders are deposits on the contract. No account of the rollup has this id. */
const EXTERNAL_ACCOUNT_ID = 0;

/** The fields in the order in which they are hashed and encrypted. */
export function moneyOrderWords(order: MoneyOrder): [bigint, bigint, bigint, bigint, bigint] {
  return [
    BigInt(order.fromAccountId),
    BigInt(order.toAccountId),
    BigInt(order.tokenId),
    order.amount,
    order.blindingFactor,
  ];
}

/** `H(fromAccountId, toAccountId, tokenId, amount, blindingFactor)` */
export function moneyOrderHash(order: MoneyOrder): bigint {
  return hashWords(moneyOrderWords(order));
}

/** The order that a deposit becomes: its blinding factor is the index of the deposit on the contract, for all to see. */
export function inboundMoneyOrder(deposit: {
  readonly index: number;
  readonly accountId: number;
  readonly tokenId: number;
  readonly amount: bigint;
}): MoneyOrder {
  return {
    fromAccountId: EXTERNAL_ACCOUNT_ID,
    toAccountId: deposit.accountId,
    tokenId: deposit.tokenId,
    amount: deposit.amount,
    blindingFactor: BigInt(deposit.index),
  };
}

const INDEX_BITS = 2 ** 16;

/** `batch id(4) ‖ index in the batch(2)` as an integer below 2^48. */
export function totalIndex(batchHeight: number, index: number): number {
  return batchHeight * INDEX_BITS + index;
}

export function splitTotalIndex(value: number): { readonly batchHeight: number; readonly index: number } {
  return { batchHeight: Math.floor(value / INDEX_BITS), index: value % INDEX_BITS };
}
