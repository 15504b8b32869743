import type { Signature, SignedKind } from '@tetrad/rollup-crypto';

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
  /** Total index of the redeemed or created order. */
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
    case 'setConsent':
      return operation.accountId;
  }
}
