import { ciphertextFromWords, type Ciphertext } from '@tetrad/rollup-crypto';
import type { RequestedOperation } from '@tetrad/rollup-chain';
import type { RollupOperation } from '@tetrad/rollup-state';

/** The operation that a holder has asked for, as an operator reads it from the event. */
export function operationOf(event: RequestedOperation): RollupOperation {
  if (event.kind === 'transferRequested') {
    const { account, balance, amount, recipient, signature } = event.transfer;
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
  const { account, order, text, signature } = event.redemption;
  const { fromAccountId, tokenId, amount, blindingFactor, totalIndex } = order;
  return {
    kind: 'redeemMoneyOrder',
    nonce: account.nonce + 1,
    totalIndex,
    signature,
    order: { fromAccountId, toAccountId: account.id, tokenId, amount, blindingFactor },
    ciphertext: ciphertextFromWords(text) as Ciphertext,
  };
}
