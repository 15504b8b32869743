import type {
  CreationView,
  MoneyOrderView,
  OperationStatus,
  OutboundTransferView,
  RedemptionView,
  RejectionReason,
} from '@tetrad/api-rollup-operator';
import { encodeWord, type MoneyOrder, type OutboundTransfer, decodeWord } from '@tetrad/rollup-crypto';
import type { OperationRecord, Page } from '@tetrad/rollup-operations';
import type { StoredOperation } from '@tetrad/rollup-store';
import { hashFromBytes, hashToBytes, type Hash } from '@tetrad/types';

/** Records as the methods return them; unknown fields are null. */

export function moneyOrderView(order: MoneyOrder): MoneyOrderView {
  return { ...order, blindingFactor: encodeWord(order.blindingFactor) };
}

export function pageView<Item, View>({ hasMoreResults, items }: Page<Item>, view: (item: Item) => View) {
  return { hasMoreResults, items: items.map(view) };
}

/** An item of the lists of money orders, created or redeemed. */
export function orderItem(stored: StoredOperation): CreationView {
  const { operation, totalIndex } = stored;
  if (!('order' in operation)) throw new TypeError(`operation ${stored.sequence} has no money order`);
  return {
    moneyOrder: moneyOrderView(operation.order),
    moneyOrderTotalIndex: totalIndex ?? null,
    ...outcome(stored, operation.nonce),
  };
}

export function creationRecord(record: OperationRecord): CreationView {
  return { ...orderItem(record.stored), ...inclusion(record) };
}

export function redemptionRecord(
  record: OperationRecord,
  path: readonly bigint[] | undefined,
): RedemptionView {
  return { ...creationRecord(record), merkleProof: path?.map(hashOfWord) ?? null };
}

export function outboundItem(stored: StoredOperation): OutboundTransferView {
  const { fromAccountId, toEthereumAddress, tokenId, amount, nonce } = stored.operation as OutboundTransfer;
  return { fromAccountId, toEthereumAddress, tokenId, amount, ...outcome(stored, nonce) };
}

export function outboundRecord(record: OperationRecord): OutboundTransferView {
  return { ...outboundItem(record.stored), ...inclusion(record) };
}

export function outcome({ status, rejectionReason, hash, batchHeight }: StoredOperation, nonce: number) {
  return {
    nonce,
    status: status satisfies OperationStatus,
    // The store takes what executing gives, which is what the method's codec lists.
    rejectionReason: (rejectionReason as RejectionReason | undefined) ?? null,
    operationHash: hashOfWord(hash),
    batchHeight: batchHeight ?? null,
  };
}

export function inclusion({ stateRoot, blockNumber, blockHash }: OperationRecord) {
  return {
    batchStateRootHash: stateRoot === undefined ? null : hashOfWord(stateRoot),
    blockNumber: blockNumber ?? null,
    blockHash: blockHash ?? null,
  };
}

/** Field elements on the wire are hashes of 32 bytes, or bytes. */

export function hashOfWord(word: bigint): Hash {
  return hashFromBytes(encodeWord(word));
}

export function wordOfHash(hash: Hash): bigint {
  return decodeWord(hashToBytes(hash));
}
