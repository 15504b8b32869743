import {
  decodeCiphertext,
  decodeJointKey,
  decodePoint,
  decodeSignature,
  decodeWord,
  encodeCiphertext,
  encodeJointKey,
  encodePoint,
  encodeSignature,
  encodeWord,
  operationKinds,
  type AccountCreation,
  type MoneyOrder,
  type Signature,
  type SignedKind,
} from '@tetrad/rollup-crypto';
import { addressFromBytes, addressToBytes } from '@tetrad/types';
import { RollupStoreError } from './rollup-store-error.js';

export type OperationStatus = 'PENDING' | 'EXECUTED' | 'REJECTED';

/**
 * Placeholder of an unknown signature: the operation is in a batch of another submitter, which is final, so that nothing
 * will ever be proved with it. In the rows it has no bytes.
 */
export const UNKNOWN_SIGNATURE: Signature = { R: { x: 0n, y: 0n }, s: 0n };

/** An operation as its account signed it. */
export type SignedOperation = SignedKind & { readonly signature: Signature };

export interface AcceptedOperation {
  /** The operation hash, which is its id. */
  readonly hash: bigint;
  readonly operation: SignedOperation;
}

/** Outcome of an operation. */
export interface OperationOutcome {
  readonly sequence: number;
  readonly hash: bigint;
  readonly status: OperationStatus;
  readonly rejectionReason: string | undefined;
  /** The account whose leaf changes; undefined for a new one until it is executed. */
  readonly accountId: number | undefined;
  /** Of the redeemed or created order. */
  readonly totalIndex: number | undefined;
  readonly batchHeight: number | undefined;
  readonly batchIndex: number | undefined;
}

export interface StoredOperation extends OperationOutcome {
  readonly operation: SignedOperation;
}

/** The account that signed; undefined for one that is not there yet. */
export function signingAccountId(operation: SignedOperation): number | undefined {
  switch (operation.kind) {
    case 'createAccount':
      return undefined;
    case 'createMoneyOrder':
      return operation.order.fromAccountId;
    case 'redeemMoneyOrder':
      return operation.order.toAccountId;
    case 'outboundTransfer':
      return operation.fromAccountId;
  }
}

/** Columns of the table `operation`, bytes as hex, as `json_to_recordset` takes them. */
export interface WrittenOperation {
  readonly position: number;
  readonly hash: string;
  readonly kind: number;
  readonly account_id: number | undefined;
  readonly nonce: number;
  readonly from_account_id: number | undefined;
  readonly to_account_id: number | undefined;
  readonly to_address: string | undefined;
  readonly token_id: number | undefined;
  readonly amount: string | undefined;
  readonly blinding_factor: string | undefined;
  readonly public_key: string | undefined;
  readonly joint_key: string | undefined;
  readonly total_index: number | undefined;
  readonly ciphertext: string | undefined;
  readonly signature: string;
  /** Another of the same group takes its nonce. */
  readonly replaced: boolean;
}

const hex = (bytes: Uint8Array) =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex');

const NOTHING = {
  ...{ account_id: undefined, nonce: 0, from_account_id: undefined, to_account_id: undefined },
  ...{ to_address: undefined, token_id: undefined, amount: undefined, blinding_factor: undefined },
  ...{ public_key: undefined, joint_key: undefined, total_index: undefined, ciphertext: undefined },
};

export function writtenOperation(
  { hash, operation }: AcceptedOperation,
  position: number,
  replaced: boolean,
): WrittenOperation {
  return {
    ...NOTHING,
    ...fieldsOf(operation),
    account_id: signingAccountId(operation),
    ...{ position, replaced, hash: hex(encodeWord(hash)), kind: operationKinds[operation.kind] },
    signature: operation.signature === UNKNOWN_SIGNATURE ? '' : hex(encodeSignature(operation.signature)),
    ...('ciphertext' in operation ? { ciphertext: hex(encodeCiphertext(operation.ciphertext)) } : {}),
  };
}

function fieldsOf(operation: SignedOperation): Partial<WrittenOperation> {
  switch (operation.kind) {
    case 'createAccount':
      return {
        public_key: hex(encodePoint(operation.publicKey)),
        joint_key: hex(encodeJointKey(operation.jointKey)),
        blinding_factor: hex(encodeWord(operation.blindingFactor)),
      };
    case 'createMoneyOrder':
      return { ...orderFields(operation.order), nonce: operation.nonce };
    case 'redeemMoneyOrder':
      return {
        ...orderFields(operation.order),
        ...{ nonce: operation.nonce, total_index: operation.totalIndex },
      };
    case 'outboundTransfer':
      return {
        ...{ from_account_id: operation.fromAccountId, nonce: operation.nonce },
        ...{ token_id: operation.tokenId, amount: String(operation.amount) },
        to_address: hex(addressToBytes(operation.toEthereumAddress)),
      };
  }
}

function orderFields(order: MoneyOrder): Partial<WrittenOperation> {
  return {
    ...{ from_account_id: order.fromAccountId, to_account_id: order.toAccountId, token_id: order.tokenId },
    ...{ amount: String(order.amount), blinding_factor: hex(encodeWord(order.blindingFactor)) },
  };
}

/** A row as the driver gives it. */
export interface RawOperation {
  readonly sequence: number;
  readonly hash: Buffer;
  readonly kind: number;
  readonly account_id: number | null;
  readonly nonce: number;
  readonly status: OperationStatus;
  readonly rejection_reason: string | null;
  readonly from_account_id: number | null;
  readonly to_account_id: number | null;
  readonly to_address: Buffer | null;
  readonly token_id: number | null;
  readonly amount: string | null;
  readonly blinding_factor: Buffer | null;
  readonly public_key: Buffer | null;
  readonly joint_key: Buffer | null;
  readonly total_index: number | null;
  readonly ciphertext: Buffer | null;
  readonly signature: Buffer;
  readonly batch_height: number | null;
  readonly batch_index: number | null;
}

export const OPERATION_COLUMNS = `operation.sequence, operation.hash, operation.kind, operation.account_id,
  operation.nonce, operation.status, operation.rejection_reason, operation.from_account_id, operation.to_account_id,
  operation.to_address, operation.token_id, operation.amount, operation.blinding_factor, operation.public_key,
  operation.joint_key, operation.total_index, operation.ciphertext, operation.signature, operation.batch_height,
  operation.batch_index`;

/** Fails: RollupStoreError when the row is damaged */
export function parseOperation(row: RawOperation): StoredOperation {
  const hash = decodeWord(row.hash);
  try {
    return {
      ...{ hash, sequence: row.sequence, status: row.status, operation: operationOf(row) },
      rejectionReason: row.rejection_reason ?? undefined,
      accountId: row.account_id ?? undefined,
      totalIndex: row.total_index ?? undefined,
      batchHeight: row.batch_height ?? undefined,
      batchIndex: row.batch_index ?? undefined,
    };
  } catch (error) {
    throw new RollupStoreError(`operation ${row.sequence} of the database is damaged`, { cause: error });
  }
}

function operationOf(row: RawOperation): SignedOperation {
  const signature = row.signature.length === 0 ? UNKNOWN_SIGNATURE : here(decodeSignature(row.signature));
  switch (row.kind) {
    case operationKinds.createAccount:
      return { kind: 'createAccount', ...registrationOf(row), ciphertext: ciphertextOf(row), signature };
    case operationKinds.createMoneyOrder:
      return {
        ...{ kind: 'createMoneyOrder', order: orderOf(row), nonce: row.nonce },
        ...{ ciphertext: ciphertextOf(row), signature },
      };
    case operationKinds.redeemMoneyOrder:
      return {
        ...{ kind: 'redeemMoneyOrder', order: orderOf(row), nonce: row.nonce },
        ...{ totalIndex: here(row.total_index), ciphertext: ciphertextOf(row), signature },
      };
    default:
      return {
        ...{
          kind: 'outboundTransfer',
          fromAccountId: here(row.from_account_id),
          nonce: row.nonce,
          signature,
        },
        toEthereumAddress: addressFromBytes(here(row.to_address)),
        ...{ tokenId: here(row.token_id), amount: BigInt(here(row.amount)) },
      };
  }
}

function registrationOf(
  row: RawOperation,
): Pick<AccountCreation, 'publicKey' | 'jointKey' | 'blindingFactor'> {
  return {
    publicKey: here(decodePoint(here(row.public_key))),
    jointKey: here(decodeJointKey(here(row.joint_key))),
    blindingFactor: decodeWord(here(row.blinding_factor)),
  };
}

function orderOf(row: RawOperation): MoneyOrder {
  return {
    ...{ fromAccountId: here(row.from_account_id), toAccountId: here(row.to_account_id) },
    ...{ tokenId: here(row.token_id), amount: BigInt(here(row.amount)) },
    blindingFactor: decodeWord(here(row.blinding_factor)),
  };
}

const ciphertextOf = (row: RawOperation) => here(decodeCiphertext(here(row.ciphertext)));

function here<Value>(value: Value | null | undefined): Value {
  if (value === null || value === undefined) throw new RollupStoreError('a value is missing');
  return value;
}
