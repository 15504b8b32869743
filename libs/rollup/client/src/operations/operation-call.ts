import type { rollupHolderMethods } from '@tetrad/api-rollup-operator';
import {
  encodeCiphertext,
  encodeJointKey,
  encodePoint,
  encodeSignature,
  encodeWord,
  type AccountCreation,
  type ConsentChange,
  type MoneyOrder,
  type MoneyOrderCreation,
  type MoneyOrderRedemption,
  type OutboundTransfer,
} from '@tetrad/rollup-crypto';
import type { ParamsOf } from '@tetrad/rpc';
import type { Signed, SignedWithCiphertext } from './sign-operation.js';

type Methods = typeof rollupHolderMethods;

/** The methods that take operations with a nonce. */
export type SubmitMethod =
  | ('pazkp_createMoneyOrder' | 'pazkp_redeemMoneyOrder' | 'pazkp_createOutboundTransfer')
  | ('rollup_createDirectMoneyOrder' | 'rollup_setConsent' | 'rollup_revokeConsent');

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
    method: operation.isDirect === true ? 'rollup_createDirectMoneyOrder' : 'pazkp_createMoneyOrder',
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

export function consentCall(signed: SignedWithCiphertext<ConsentChange>): OperationCall {
  const { operation, signature, randomizationFactor } = signed;
  const { accountId, terms, nonce, ciphertext } = operation;
  const rest = [
    encodeCiphertext(ciphertext),
    encodeWord(randomizationFactor),
    nonce,
    encodeSignature(signature),
  ] as const;
  if (terms === undefined) return { method: 'rollup_revokeConsent', params: [accountId, ...rest] };
  const { tokenId, minimum, untilHeight, secret } = terms;
  return {
    method: 'rollup_setConsent',
    params: [accountId, tokenId, minimum, untilHeight, encodeWord(secret), ...rest],
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
