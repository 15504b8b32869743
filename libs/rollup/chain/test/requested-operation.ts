import { ciphertextFromWords } from '@tetrad/rollup-crypto';
import type { RollupOperation } from '@tetrad/rollup-state';
import type { GameRollup, Outcome } from './game-rollup.js';

/** The operation that a request carries, made from its event alone. */
export function requestedOperation(game: GameRollup, outcome: Outcome): RollupOperation {
  const [event] = game.eventsOf(outcome);
  if (event?.kind === 'transferRequested') {
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
  if (event?.kind !== 'redemptionRequested') throw new Error('no request');
  const { account, order, text, signature } = event.redemption;
  return {
    kind: 'redeemMoneyOrder',
    order: { ...order, toAccountId: account.id },
    totalIndex: order.totalIndex,
    nonce: account.nonce + 1,
    signature,
    ciphertext: ciphertextFromWords(text)!,
  };
}
