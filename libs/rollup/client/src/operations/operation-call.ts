import type { rollupOperatorMethods } from '@tetrad/api-rollup-operator';
import {
  encodeCiphertext,
  encodeJointKey,
  encodePoint,
  encodeSignature,
  encodeWord,
  type AccountCreation,
  type MoneyOrder,
  type MoneyOrderCreation,
  type MoneyOrderRedemption,
  type OutboundTransfer,
} from '@tetrad/rollup-crypto';
import type { ParamsOf } from '@tetrad/rpc';
import type { Signed, SignedWithCiphertext } from './sign-operation.js';

type Methods = typeof rollupOperatorMethods;

/** The methods that take operations with a nonce. */
export type SubmitMethod =
  'pazkp_createMoneyOrder' | 'pazkp_redeemMoneyOrder' | 'pazkp_createOutboundTransfer';

/** A method of the operator with its parameters, in order. */
export type OperationCall = {
  [Name in SubmitMethod]: { readonly method: Name; readonly params: ParamsOf<Methods[Name]> };
}[SubmitMethod];

export function accountCreationParams({
  operation,
  signature,
  randomizationFactor,
}: SignedWithCiphertext<AccountCreation>): ParamsOf<Methods['pazkp_createAccount']> {
  return [
    encodePoint(operation.publicKey),
    encodeJointKey(operation.jointKey),
    encodeWord(operation.blindingFactor),
    encodeCiphertext(operation.ciphertext),
    encodeWord(randomizationFactor),
    encodeSignature(signature),
  ];
}

export function moneyOrderCall(signed: SignedWithCiphertext<MoneyOrderCreation>): OperationCall {
  const { operation, signature, randomizationFactor } = signed;
  return {
    method: 'pazkp_createMoneyOrder',
    params: [
      ...orderParams(operation.order),
      encodeCiphertext(operation.ciphertext),
      encodeWord(randomizationFactor),
      operation.nonce,
      encodeSignature(signature),
    ],
  };
}

export function redemptionCall(signed: SignedWithCiphertext<MoneyOrderRedemption>): OperationCall {
  const { operation, signature, randomizationFactor } = signed;
  return {
    method: 'pazkp_redeemMoneyOrder',
    params: [
      ...orderParams(operation.order),
      operation.totalIndex,
      operation.nonce,
      encodeCiphertext(operation.ciphertext),
      encodeWord(randomizationFactor),
      encodeSignature(signature),
      // The operator knows the proof.
      undefined,
    ],
  };
}

export function outboundTransferCall({ operation, signature }: Signed<OutboundTransfer>): OperationCall {
  const { fromAccountId, toEthereumAddress, tokenId, amount, nonce } = operation;
  return {
    method: 'pazkp_createOutboundTransfer',
    params: [fromAccountId, toEthereumAddress, tokenId, amount, nonce, encodeSignature(signature)],
  };
}

function orderParams(order: MoneyOrder): [number, number, number, bigint, Uint8Array] {
  const { fromAccountId, toAccountId, tokenId, amount, blindingFactor } = order;
  return [fromAccountId, toAccountId, tokenId, amount, encodeWord(blindingFactor)];
}
