import { NO_OP_WITNESS, type OperationWitness } from '@tetrad/rollup-circuits';
import {
  ciphertextWords,
  jointKeyHash,
  jointKeyWords,
  operationKinds,
  type MoneyOrder,
} from '@tetrad/rollup-crypto';
import { balanceOf, balanceTree, type KnownAccount } from './account.js';
import type { Effects } from './execution.js';
import { touchedAccountId, type RollupOperation } from './rollup-operation.js';

/** Where the paths come from, as the trees are before the operation. */
export interface WitnessSource {
  accountPath(id: number): readonly bigint[];
  /** From an order to the root of its batch. */
  orderPath(totalIndex: number): readonly bigint[];
  /** From there to the history root. */
  batchPath(totalIndex: number): readonly bigint[];
}

/** What the circuit must know of an operation that is executed. */
export function operationWitness(
  operation: RollupOperation,
  { before, after }: Effects,
  source: WitnessSource,
): OperationWitness {
  const kind = BigInt(operationKinds[operation.kind]);
  const base = { ...NO_OP_WITNESS, kind };
  if (operation.kind === 'inboundTransfer') {
    const { accountId, tokenId, amount } = operation;
    return { ...base, to_id: BigInt(accountId), token_id: BigInt(tokenId), amount };
  }
  const account = before ?? (after as KnownAccount);
  return {
    ...base,
    ...accountWitness(account, tokenOf(operation)),
    account_path: source.accountPath(touchedAccountId(operation) as number),
    ...payment(operation, source),
    ciphertext: 'ciphertext' in operation ? ciphertextWords(operation.ciphertext) : base.ciphertext,
    signature: signatureWitness(operation.signature),
  };
}

function accountWitness(account: KnownAccount, tokenId: number): Partial<OperationWitness> {
  return {
    account_id: BigInt(account.id),
    public_key: [account.publicKey.x, account.publicKey.y],
    joint_key_hash: jointKeyHash(account.jointKey),
    nonce: BigInt(account.nonce),
    redemption_index: BigInt(account.redemptionIndex),
    account_blinding: account.blindingFactor,
    token_id: BigInt(tokenId),
    balance: balanceOf(account, tokenId),
    balance_path: balanceTree(account).path(tokenId),
  };
}

function tokenOf(operation: RollupOperation): number {
  if ('order' in operation) return operation.order.tokenId;
  return operation.kind === 'createAccount' ? 0 : operation.tokenId;
}

type SignedOperation = Exclude<RollupOperation, { kind: 'inboundTransfer' }>;

function payment(operation: SignedOperation, source: WitnessSource): Partial<OperationWitness> {
  switch (operation.kind) {
    case 'createAccount':
      return { joint_key: jointKeyWords(operation.jointKey) };
    case 'createMoneyOrder':
      return orderWitness(operation.order);
    case 'redeemMoneyOrder':
      return {
        ...orderWitness(operation.order),
        total_index: BigInt(operation.totalIndex),
        order_path: source.orderPath(operation.totalIndex),
        batch_path: source.batchPath(operation.totalIndex),
      };
    case 'outboundTransfer':
      return {
        from_id: BigInt(operation.fromAccountId),
        to_address: BigInt(operation.toEthereumAddress),
        amount: operation.amount,
      };
  }
}

function orderWitness(order: MoneyOrder): Partial<OperationWitness> {
  return {
    from_id: BigInt(order.fromAccountId),
    to_id: BigInt(order.toAccountId),
    amount: order.amount,
    order_blinding: order.blindingFactor,
  };
}

const HALF = (1n << 128n) - 1n;

function signatureWitness({ R, s }: SignedOperation['signature']): OperationWitness['signature'] {
  return { r: [R.x, R.y], s: [s & HALF, s >> 128n] };
}
