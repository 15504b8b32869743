import { parseOperationHeader } from '@tetrad/rollup-circuits';
import { CIPHERTEXT_WORDS } from '@tetrad/rollup-crypto';
import type { RecoverableBatch } from '@tetrad/rollup-state';
import type { PublicPlace } from '@tetrad/rollup-store';
import type { Address } from '@tetrad/types';

/** What the contract published of one place of a batch. */
export type ChainPlace =
  | PublicPlace
  | { readonly kind: 'noOp' }
  /** A deposit that is credited makes no order. */
  | { readonly kind: 'inboundTransfer'; readonly isCredited: boolean };

/** All places of a batch; no-ops may stand anywhere in it. */
export function placesOf(batch: RecoverableBatch): ChainPlace[] {
  return batch.headers.map((header, index) => {
    const { kind, accountId, tokenId, amount } = parseOperationHeader(header);
    if (kind === 'noOp') return { kind };
    if (kind === 'inboundTransfer') return { kind, isCredited: batch.orders[index] === 0n };
    return {
      batchHeight: batch.height,
      batchIndex: index,
      kind,
      accountId,
      tokenId,
      amount,
      recipient: batch.recipients[index] as Address,
      words: batch.ciphertexts.slice(CIPHERTEXT_WORDS * index, CIPHERTEXT_WORDS * (index + 1)),
      leaf: batch.leaves[index] as bigint,
      orderHash: batch.orders[index] as bigint,
    };
  });
}

/** Whether a place changes an account: what its holder signed, or a credit. */
export const changesAccount = (place: ChainPlace): place is PublicPlace => 'leaf' in place;
