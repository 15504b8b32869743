import type { PlacedEvent, ProvedRedemption, ProvedTransfer, RequestedOperation } from '@tetrad/rollup-chain';
import { operationHash, textOfWords } from '@tetrad/rollup-crypto';
import type { ProvedHolding, StoredRequest, SignedOperation } from '@tetrad/rollup-store';

/** Where the event of a request is, and the height of the last batch before it. */
export type RequestAt = Pick<PlacedEvent, 'blockNumber' | 'logIndex'> & { readonly height: number };

/**
 * The operation that a holder has asked the contract for. The contract has verified its signature, and that it can be made.
 *
 * @param event - the request
 * @param at - where the event is on the chain
 * @param domain - which rollup it is
 * @returns the operation as the operator stores it
 */
export function requestedRow(
  event: RequestedOperation,
  { blockNumber, logIndex, height }: RequestAt,
  domain: bigint,
): StoredRequest {
  const operation =
    event.kind === 'transferRequested' ? transferOf(event.transfer) : redemptionOf(event.redemption);
  const { tokenId, amount } = operation.kind === 'outboundTransfer' ? operation : operation.order;
  return {
    blockNumber,
    logIndex,
    height,
    tokenId,
    amount,
    nonce: operation.nonce,
    proved: holdingOf(event.kind === 'transferRequested' ? event.transfer : event.redemption),
    hash: operationHash(domain, operation),
    operation,
  };
}

type Requested = Extract<SignedOperation, { readonly kind: 'outboundTransfer' | 'redeemMoneyOrder' }>;

function holdingOf({ account, balance }: Pick<ProvedTransfer, 'account' | 'balance'>): ProvedHolding {
  const { id, publicKey, jointKeyHash: hash, blindingFactor, nonce, redemptionIndex, consent } = account;
  const { tokenId, amount, siblings } = balance;
  return {
    id,
    publicKey,
    jointKey: { hash },
    blindingFactor,
    nonce,
    redemptionIndex,
    tokenId,
    balance: amount,
    siblings,
    ...(consent === undefined ? {} : { consent }),
  };
}

function transferOf({ account, balance, amount, recipient, signature }: ProvedTransfer): Requested {
  return {
    kind: 'outboundTransfer',
    fromAccountId: account.id,
    toEthereumAddress: recipient,
    tokenId: balance.tokenId,
    amount,
    nonce: account.nonce + 1,
    signature,
  };
}

function redemptionOf({ account, order, text, signature }: ProvedRedemption): Requested {
  const { fromAccountId, tokenId, amount, blindingFactor, totalIndex } = order;
  return {
    kind: 'redeemMoneyOrder',
    order: { fromAccountId, toAccountId: account.id, tokenId, amount, blindingFactor },
    totalIndex,
    nonce: account.nonce + 1,
    signature,
    // Its holder may have signed any fifteen words.
    ciphertext: textOfWords(text),
  };
}
