import { parseAddress, type Address } from '@tetrad/types';
import type { Result } from 'ethers/abi';
import { decodeOperations, type PublishedOperations } from './batch-operations.js';
import type { PublishedBatch } from './published-batch.js';
import { stateProofOf, type ProvedRedemption, type ProvedTransfer } from './state-proofs.js';

export interface AcceptedBatch extends PublishedBatch {
  readonly kind: 'batch';
  readonly height: number;
  readonly submitter: Address;
}

export interface RegisteredTransfer {
  readonly kind: 'inbound';
  readonly index: number;
  readonly accountId: number;
  readonly tokenId: number;
  readonly amount: bigint;
  readonly from: Address;
}

/** A payment of the contract that happened, or that the recipient has to fetch. */
export interface Payment {
  readonly kind: 'paid' | 'owed';
  readonly recipient: Address;
  readonly tokenId: number;
  readonly amount: bigint;
}

/** A request without a proof, of a contract with the rules of docs/adr/0215. */
export interface RequestedTransfer {
  readonly kind: 'requested';
  readonly accountId: number;
  readonly recipient: Address;
  readonly tokenId: number;
  readonly amount: bigint;
  /** Unix time in seconds. */
  readonly overdueAt: number;
}

export interface AddedToken {
  readonly kind: 'token';
  readonly tokenId: number;
  readonly token: Address;
  readonly unit: bigint;
}

/** A signed operation that a holder has asked for: the operator can make it, and has to until it is overdue. */
export type RequestedOperation = {
  readonly accountId: number;
  /** Unix time in seconds if as much is held then as now; `overdueAt` of the contract says it anew. */
  readonly overdueAt: number;
} & (
  | { readonly kind: 'transferRequested'; readonly transfer: ProvedTransfer }
  | { readonly kind: 'redemptionRequested'; readonly redemption: ProvedRedemption }
);

/** No batch comes after the one of this height. */
export interface FrozenRollup {
  readonly kind: 'frozen';
  readonly height: number;
  readonly stateRoot: bigint;
}

/** What happened to an account, or a deposit, of a frozen rollup. */
export type Withdrawal =
  | { readonly kind: 'claimed'; readonly accountId: number; readonly recipient: Address }
  | {
      readonly kind: 'balanceWithdrawn';
      readonly accountId: number;
      readonly tokenId: number;
      readonly amount: bigint;
    }
  | {
      readonly kind: 'orderWithdrawn';
      readonly accountId: number;
      readonly totalIndex: number;
      readonly tokenId: number;
      readonly amount: bigint;
    }
  | { readonly kind: 'depositReturned'; readonly index: number; readonly from: Address };

export type RollupEvent =
  | AcceptedBatch
  | RegisteredTransfer
  | Payment
  | RequestedTransfer
  | RequestedOperation
  | AddedToken
  | FrozenRollup
  | Withdrawal;

/** Event name → what it says. */
export const eventReaders: Readonly<Record<string, (values: Result) => RollupEvent>> = {
  TransactionBatchAccepted: ([height, , submitter, batch]) => ({
    kind: 'batch',
    height: Number(height),
    submitter: parseAddress(submitter),
    nextStateRoot: batch.nextStateRoot,
    ordersRoot: batch.ordersRoot,
    ciphertextCommitment: batch.ciphertextCommitment,
    ...operationsOf(batch),
  }),
  InboundTransferRegistered: ([index, accountId, tokenId, amount, from]) => ({
    kind: 'inbound',
    index: Number(index),
    accountId: Number(accountId),
    tokenId: Number(tokenId),
    amount,
    from: parseAddress(from),
  }),
  OutboundTransferPaid: (values) => payment('paid', values),
  OutboundTransferOwed: (values) => payment('owed', values),
  OutboundTransferRequested: ([accountId, recipient, tokenId, amount, overdueAt]) => ({
    kind: 'requested',
    accountId: Number(accountId),
    recipient: parseAddress(recipient),
    tokenId: Number(tokenId),
    amount,
    overdueAt: Number(overdueAt),
  }),
  TransferRequested: ([accountId, overdueAt, transfer]) => ({
    kind: 'transferRequested',
    accountId: Number(accountId),
    overdueAt: Number(overdueAt),
    transfer: stateProofOf.transfer(transfer),
  }),
  RedemptionRequested: ([accountId, overdueAt, redemption]) => ({
    kind: 'redemptionRequested',
    accountId: Number(accountId),
    overdueAt: Number(overdueAt),
    redemption: stateProofOf.redemption(redemption),
  }),
  Frozen: ([height, stateRoot]) => ({ kind: 'frozen', height: Number(height), stateRoot }),
  AccountClaimed: ([accountId, recipient]) => ({
    kind: 'claimed',
    accountId: Number(accountId),
    recipient: parseAddress(recipient),
  }),
  BalanceWithdrawn: ([accountId, tokenId, amount]) => ({
    kind: 'balanceWithdrawn',
    accountId: Number(accountId),
    tokenId: Number(tokenId),
    amount,
  }),
  OrderWithdrawn: ([accountId, totalIndex, tokenId, amount]) => ({
    kind: 'orderWithdrawn',
    accountId: Number(accountId),
    totalIndex: Number(totalIndex),
    tokenId: Number(tokenId),
    amount,
  }),
  DepositReturned: ([index, from]) => ({
    kind: 'depositReturned',
    index: Number(index),
    from: parseAddress(from),
  }),
  TokenAdded: ([tokenId, token, unit]) => ({
    kind: 'token',
    tokenId: Number(tokenId),
    token: parseAddress(token),
    unit,
  }),
};

/** Lists in the first layout, bytes since. */
function operationsOf(batch: Result): PublishedOperations {
  if ('operations' in batch.toObject()) return decodeOperations(batch['operations'], Number(batch['size']));
  const { headers, recipients, leaves, orders, ciphertexts } = batch;
  return {
    headers: [...headers],
    recipients: [...recipients].map(parseAddress),
    leaves: [...leaves],
    orders: [...orders],
    ciphertexts: [...ciphertexts],
  };
}

function payment(kind: Payment['kind'], [recipient, tokenId, amount]: Result): Payment {
  return { kind, recipient: parseAddress(recipient), tokenId: Number(tokenId), amount };
}
