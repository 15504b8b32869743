import {
  encodeCiphertext,
  encodeJointKey,
  encodePoint,
  encodeSignature,
  encodeWord,
  operationKinds,
  type ConsentChange,
  type MoneyOrder,
} from '@tetrad/rollup-crypto';
import { addressToBytes } from '@tetrad/types';
import { operation as table } from './generated/tables.js';
import { hexOf, jsonRecord, type JsonRow } from './json-record.js';
import {
  UNKNOWN_SIGNATURE,
  signingAccountId,
  type AcceptedOperation,
  type SignedOperation,
} from './operation-rows.js';

/** An operation as statements store it. */
export type WrittenOperation = JsonRow<
  typeof table,
  | ('hash' | 'kind' | 'accountId' | 'nonce' | 'fromAccountId' | 'toAccountId' | 'toAddress' | 'tokenId')
  | ('amount' | 'blindingFactor' | 'publicKey' | 'jointKey' | 'totalIndex' | 'ciphertext' | 'signature')
  | ('isDirect' | 'consent' | 'untilHeight')
>;

/** Where the column of a request has the hash of its operation. */
export const HASH_IN_JSON = 'hash' satisfies keyof WrittenOperation;

/** The same in a statement. */
export const OPERATION_RECORD = jsonRecord(table, {
  hash: 'bytea',
  kind: 'int',
  accountId: 'int',
  nonce: 'bigint',
  fromAccountId: 'int',
  toAccountId: 'int',
  toAddress: 'bytea',
  tokenId: 'int',
  amount: 'numeric',
  blindingFactor: 'bytea',
  publicKey: 'bytea',
  jointKey: 'bytea',
  totalIndex: 'bigint',
  ciphertext: 'bytea',
  signature: 'bytea',
  isDirect: 'boolean',
  consent: 'bytea',
  untilHeight: 'bigint',
} as const);

const NOTHING = {
  accountId: undefined,
  nonce: 0,
  fromAccountId: undefined,
  toAccountId: undefined,
  toAddress: undefined,
  tokenId: undefined,
  amount: undefined,
  blindingFactor: undefined,
  publicKey: undefined,
  jointKey: undefined,
  totalIndex: undefined,
  ciphertext: undefined,
  isDirect: undefined,
  consent: undefined,
  untilHeight: undefined,
};

/** The columns of an operation that was accepted, or that only the chain knows of. */
export function writtenOperation({ hash, operation }: AcceptedOperation): WrittenOperation {
  return {
    ...NOTHING,
    ...fieldsOf(operation),
    accountId: signingAccountId(operation),
    hash: hexOf(encodeWord(hash)),
    kind: operationKinds[operation.kind],
    signature: operation.signature === UNKNOWN_SIGNATURE ? '' : hexOf(encodeSignature(operation.signature)),
    ...('ciphertext' in operation ? { ciphertext: hexOf(encodeCiphertext(operation.ciphertext)) } : {}),
  };
}

function fieldsOf(operation: SignedOperation): Partial<WrittenOperation> {
  switch (operation.kind) {
    case 'createAccount':
      return {
        publicKey: hexOf(encodePoint(operation.publicKey)),
        jointKey: hexOf(encodeJointKey(operation.jointKey)),
        blindingFactor: hexOf(encodeWord(operation.blindingFactor)),
      };
    case 'createMoneyOrder':
      return {
        ...orderFields(operation.order),
        nonce: operation.nonce,
        ...(operation.isDirect === true ? { isDirect: true } : {}),
      };
    case 'redeemMoneyOrder':
      return { ...orderFields(operation.order), nonce: operation.nonce, totalIndex: operation.totalIndex };
    case 'outboundTransfer':
      return {
        fromAccountId: operation.fromAccountId,
        nonce: operation.nonce,
        tokenId: operation.tokenId,
        amount: String(operation.amount),
        toAddress: hexOf(addressToBytes(operation.toEthereumAddress)),
      };
    case 'setConsent':
      return consentFields(operation);
  }
}

function consentFields({ nonce, consent, terms }: ConsentChange): Partial<WrittenOperation> {
  const changed = { nonce, consent: hexOf(encodeWord(consent)) };
  if (terms === undefined) return changed;
  const { tokenId, minimum, untilHeight, secret } = terms;
  return {
    ...changed,
    tokenId,
    amount: String(minimum),
    untilHeight,
    blindingFactor: hexOf(encodeWord(secret)),
  };
}

/** What an order says, as the columns of operations and orders have it. */
export function orderFields({ fromAccountId, toAccountId, tokenId, amount, blindingFactor }: MoneyOrder) {
  return {
    fromAccountId,
    toAccountId,
    tokenId,
    amount: String(amount),
    blindingFactor: hexOf(encodeWord(blindingFactor)),
  };
}
