import {
  decodeJointKey,
  decodePoint,
  decodeSignature,
  decodeText,
  decodeWord,
  operationKinds,
  type AccountCreation,
  type ConsentTerms,
  type MoneyOrder,
} from '@tetrad/rollup-crypto';
import { addressFromBytes } from '@tetrad/types';
import type { operation } from './generated/tables.js';
import {
  UNKNOWN_SIGNATURE,
  type OperationStatus,
  type SignedOperation,
  type StoredOperation,
} from './operation-rows.js';
import { here, integerOf, numberOf, type ReadRow } from './read-row.js';
import { RollupStoreError } from './rollup-store-error.js';

/** What is read of an operation. */
export const OPERATION_FIELDS = [
  'sequence',
  'hash',
  'kind',
  'accountId',
  'nonce',
  'status',
  'rejectionReason',
  'fromAccountId',
  'toAccountId',
  'toAddress',
  'tokenId',
  'amount',
  'blindingFactor',
  'publicKey',
  'jointKey',
  'totalIndex',
  'ciphertext',
  'signature',
  'batchHeight',
  'batchIndex',
  'isDirect',
  'consent',
  'untilHeight',
] as const;

/** An operation, by the client or by a statement. */
export type ReadOperation = ReadRow<typeof operation, (typeof OPERATION_FIELDS)[number]>;

/** @throws RollupStoreError when the row is damaged */
export function parseOperation(row: ReadOperation): StoredOperation {
  const hash = decodeWord(row.hash);
  try {
    return {
      hash,
      sequence: Number(row.sequence),
      status: row.status as OperationStatus,
      operation: operationOf(row),
      rejectionReason: row.rejectionReason ?? undefined,
      accountId: row.accountId ?? undefined,
      totalIndex: numberOf(row.totalIndex),
      batchHeight: numberOf(row.batchHeight),
      batchIndex: row.batchIndex ?? undefined,
    };
  } catch (error) {
    throw new RollupStoreError(`operation ${row.sequence} of the database is damaged`, { cause: error });
  }
}

function operationOf(row: ReadOperation): SignedOperation {
  const signature = row.signature.length === 0 ? UNKNOWN_SIGNATURE : here(decodeSignature(row.signature));
  const nonce = Number(row.nonce);
  switch (row.kind) {
    case operationKinds.createAccount:
      return { kind: 'createAccount', ...registrationOf(row), ciphertext: ciphertextOf(row), signature };
    case operationKinds.createMoneyOrder:
      return {
        kind: 'createMoneyOrder',
        order: orderOf(row),
        nonce,
        ciphertext: ciphertextOf(row),
        signature,
        ...(row.isDirect === true ? { isDirect: true } : {}),
      };
    case operationKinds.redeemMoneyOrder:
      return {
        kind: 'redeemMoneyOrder',
        order: orderOf(row),
        nonce,
        totalIndex: here(numberOf(row.totalIndex)),
        ciphertext: ciphertextOf(row),
        signature,
      };
    case operationKinds.setConsent:
      return {
        kind: 'setConsent',
        accountId: here(row.accountId),
        nonce,
        signature,
        consent: decodeWord(here(row.consent)),
        terms: termsOf(row),
        ciphertext: ciphertextOf(row),
      };
    default:
      return {
        kind: 'outboundTransfer',
        fromAccountId: here(row.fromAccountId),
        nonce,
        signature,
        toEthereumAddress: addressFromBytes(here(row.toAddress)),
        tokenId: here(row.tokenId),
        amount: integerOf(here(row.amount)),
      };
  }
}

function registrationOf(
  row: ReadOperation,
): Pick<AccountCreation, 'publicKey' | 'jointKey' | 'blindingFactor'> {
  return {
    publicKey: here(decodePoint(here(row.publicKey))),
    jointKey: here(decodeJointKey(here(row.jointKey))),
    blindingFactor: decodeWord(here(row.blindingFactor)),
  };
}

function termsOf({ tokenId, amount, untilHeight, blindingFactor }: ReadOperation): ConsentTerms | undefined {
  if (tokenId === null || amount === null || untilHeight === null || blindingFactor === null)
    return undefined;
  const minimum = integerOf(amount);
  return { tokenId, minimum, untilHeight: Number(untilHeight), secret: decodeWord(blindingFactor) };
}

function orderOf(row: ReadOperation): MoneyOrder {
  return {
    fromAccountId: here(row.fromAccountId),
    toAccountId: here(row.toAccountId),
    tokenId: here(row.tokenId),
    amount: integerOf(here(row.amount)),
    blindingFactor: decodeWord(here(row.blindingFactor)),
  };
}

const ciphertextOf = (row: ReadOperation) => here(decodeText(here(row.ciphertext)));
