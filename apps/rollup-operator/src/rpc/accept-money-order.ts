import type { pazkpMoneyOrderMethods } from '@tetrad/api-rollup-operator';
import { decodeWord } from '@tetrad/rollup-crypto';
import { readMoneyOrderCreation } from '@tetrad/rollup-operations';
import type { Handlers } from '@tetrad/rpc';
import type { OperatorParts } from './operator-parts.js';
import { hashOfWord } from './wire-records.js';

type Params = Parameters<Handlers<typeof pazkpMoneyOrderMethods>['pazkp_createMoneyOrder']>[0];

/**
 * Accepts a money order of a method that makes one.
 *
 * @param options - `isDirect`: the receiver's account may be credited with it
 * @throws RequestError
 */
export async function acceptMoneyOrder(
  acceptance: OperatorParts['acceptance'],
  params: Params,
  options: { readonly isDirect?: true } = {},
) {
  const [fromAccountId, toAccountId, tokenId, amount, blinding, ciphertext, random, nonce, signature] =
    params;
  const order = { fromAccountId, toAccountId, tokenId, amount, blindingFactor: decodeWord(blinding) };
  const operation = readMoneyOrderCreation(order, nonce, { ciphertext, signature });
  return {
    operationHash: hashOfWord(await acceptance.createMoneyOrder({ ...operation, ...options }, random)),
  };
}
