import {
  consentHash,
  encrypt,
  operationHash,
  operationPlaintext,
  sign,
  type ConsentTerms,
  type SignedKind,
} from '@tetrad/rollup-crypto';
import type { RollupOperation } from '@tetrad/rollup-state';
import type { RollupUser } from '../../state/src/testing/rollup-user.js';

const factor = (user: RollupUser) => (user.draw() % (2n ** 250n - 1n)) + 1n;

function signed(user: RollupUser, operation: SignedKind): RollupOperation {
  const signature = sign(user.secretKey, operationHash(user.domain, operation));
  return { ...operation, signature } as RollupOperation;
}

/** A consent of a user, or its end. */
export function consentOf(
  user: RollupUser,
  terms: Omit<ConsentTerms, 'secret'> | undefined,
  nonce: number,
): RollupOperation {
  const opened = terms === undefined ? undefined : { ...terms, secret: factor(user) };
  const consent = consentHash(user.domain, opened);
  const change = { kind: 'setConsent', accountId: user.id, consent, terms: opened, nonce } as const;
  const ciphertext = encrypt(operationPlaintext(change), user.jointKey, factor(user));
  return signed(user, { ...change, ciphertext });
}

/**
 * A payment that may be credited.
 * @param payment - to whom, token, amount and nonce
 */
export function directPayment(
  user: RollupUser,
  ...[to, tokenId, amount, nonce]: readonly [RollupUser, number, bigint, number]
): RollupOperation {
  const order = { fromAccountId: user.id, toAccountId: to.id, tokenId, amount, blindingFactor: factor(user) };
  const payment = { kind: 'createMoneyOrder', order, nonce, isDirect: true } as const;
  const ciphertext = encrypt(operationPlaintext(payment), to.jointKey, factor(user));
  return signed(user, { ...payment, ciphertext });
}
