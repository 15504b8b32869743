import { parseOperationHeader } from '@tetrad/rollup-circuits';
import type { PublishedBatch } from './published-batch.js';

/** Verification and all that does not depend on the size; measured with a batch of two: below 4,000,000 altogether. */
const BATCH_GAS = 6_000_000n;
/** Call data, event and evaluation of one operation: some 25,000; a new account or a served request pays for storage. */
const OPERATION_GAS = 100_000n;
/** What Payments.sol gives a payment, and some for the call around it. */
const ETHER_PAYMENT_GAS = 50_000n + 30_000n;
const TOKEN_PAYMENT_GAS = 200_000n + 30_000n;

/**
 * Gas for a batch: more than it can use, and what is left comes back. It is not estimated: clients find the least gas with
 * which a call does not fail by running it some twenty times, which takes seconds for a verification, and a payment that
 * gets too little does not make it fail but is owed.
 */
export function gasLimitOf(batch: PublishedBatch): bigint {
  let limit = BATCH_GAS;
  for (const { kind, tokenId } of batch.headers.map(parseOperationHeader)) {
    limit += OPERATION_GAS;
    // A call gets at most 63/64 of the remaining gas (EIP-150), so the limit has some more than the call is given.
    if (kind === 'outboundTransfer') limit += tokenId === 0 ? ETHER_PAYMENT_GAS : TOKEN_PAYMENT_GAS;
  }
  return limit;
}

/**
 * Gas for a batch of which every operation pays a token out: holders can have it made by what they ask for.
 *
 * @param size - operations of the batch
 * @returns its gas limit
 */
export function largestGasLimitOf(size: number): bigint {
  return BATCH_GAS + BigInt(size) * (OPERATION_GAS + TOKEN_PAYMENT_GAS);
}
