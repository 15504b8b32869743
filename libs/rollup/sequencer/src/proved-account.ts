import { NO_CIPHERTEXT } from '@tetrad/rollup-circuits';
import { ciphertextWords } from '@tetrad/rollup-crypto';
import { accountHash, publicOperation, type ProvedAccount, type RollupOperation } from '@tetrad/rollup-state';
import type { BatchPlace, OpaquePlace, ProvedHolding } from '@tetrad/rollup-store';
import { addressFromBytes } from '@tetrad/types';

/** The account of a request, which the operator cannot read: as far as the contract has seen it proved. */
export function provedAccount({ tokenId, balance, siblings, ...leaf }: ProvedHolding): ProvedAccount {
  return { ...leaf, balances: new Map([[tokenId, balance]]), proved: { tokenId, siblings } };
}

/**
 * What is kept of an operation on an account that stays opaque, as of those in batches of others: with all of these a registration
 * opens the account again.
 *
 * @param place - that it has in a batch
 * @param operation - that was requested
 * @param after - the account afterwards
 * @returns the place as the chain will publish it
 */
export function opaquePlaceOf(
  place: BatchPlace,
  operation: Extract<RollupOperation, { readonly kind: 'outboundTransfer' | 'redeemMoneyOrder' }>,
  after: ProvedAccount,
): OpaquePlace {
  const { tokenId, amount, toAddress } = publicOperation(operation);
  return {
    ...place,
    kind: operation.kind,
    accountId: after.id,
    tokenId,
    amount,
    recipient: addressFromBytes(Buffer.from(toAddress.toString(16).padStart(40, '0'), 'hex')),
    words: 'ciphertext' in operation ? ciphertextWords(operation.ciphertext) : NO_CIPHERTEXT,
    leaf: accountHash(after),
    orderHash: 0n,
  };
}
