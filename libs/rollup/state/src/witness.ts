import { NO_OP_WITNESS, type OperationWitness } from '@tetrad/rollup-circuits';
import {
  FIELD_MODULUS,
  NO_CONSENT,
  jointKeyHash,
  jointKeyWords,
  modulo,
  operationKinds,
  type CreditPlace,
  type MoneyOrder,
} from '@tetrad/rollup-crypto';
import { accountHash, balanceOf, balanceTree, isReadable, type KnownAccount } from './account.js';
import type { Effects } from './execution.js';
import { touchedAccountId, type RollupOperation } from './rollup-operation.js';

/** Where the paths come from, as the trees are before the operation, and what else the batch has of it. */
export interface WitnessSource {
  /** Fifteen words. */
  readonly ciphertext: readonly bigint[];
  /** Total index of the operation itself. */
  readonly totalIndex: number;
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
    ciphertext: source.ciphertext,
    ...(operation.kind === 'credit'
      ? creditWitness(creditPlace(after as KnownAccount, source.totalIndex), after as KnownAccount)
      : { signature: signatureWitness(operation.signature) }),
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
    consent: account.consent ?? NO_CONSENT,
    token_id: BigInt(tokenId),
    balance: balanceOf(account, tokenId),
    balance_path: balanceTree(account).path(tokenId),
  };
}

function tokenOf(operation: RollupOperation): number {
  if ('order' in operation) return operation.order.tokenId;
  return 'tokenId' in operation ? operation.tokenId : 0;
}

type TouchingOperation = Exclude<RollupOperation, { kind: 'inboundTransfer' }>;
type SignedOperation = Exclude<TouchingOperation, { kind: 'credit' }>;

function payment(operation: TouchingOperation, source: WitnessSource): Partial<OperationWitness> {
  switch (operation.kind) {
    case 'createAccount':
      return { joint_key: jointKeyWords(operation.jointKey) };
    case 'createMoneyOrder':
      return { ...orderWitness(operation.order), direct: operation.isDirect === true ? 1n : 0n };
    case 'credit':
      return orderWitness(operation.order);
    case 'setConsent':
      return { from_id: BigInt(operation.accountId), next_consent: operation.consent };
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

/**
 * Where a credit is.
 *
 * @param after - its account afterwards, whose consent is known
 * @param totalIndex - of the credit
 * @returns what its word is hidden by
 * @throws TypeError for an account of which the consent is not known
 */
export function creditPlace(after: KnownAccount, totalIndex: number): CreditPlace {
  const { publicKey, consent } = after;
  return {
    publicKey,
    consent: consent ?? NO_CONSENT,
    leaf: accountHash(after),
    totalIndex,
    secret: termsOf(after).secret,
  };
}

function termsOf(account: KnownAccount) {
  const terms = isReadable(account) ? account.consentTerms : undefined;
  if (terms === undefined) throw new TypeError(`the consent of account ${account.id} is not known`);
  return terms;
}

/** It has no signature: the words of one hold what the pad is hashed from. */
function creditWitness(place: CreditPlace, after: KnownAccount): Partial<OperationWitness> {
  const { minimum, untilHeight, secret } = termsOf(after);
  return {
    minimum,
    until_height: BigInt(untilHeight),
    consent_secret: secret,
    signature: { r: [modulo(secret + place.leaf, FIELD_MODULUS), BigInt(place.totalIndex)], s: [1n, 0n] },
  };
}

const HALF = (1n << 128n) - 1n;

function signatureWitness({ R, s }: SignedOperation['signature']): OperationWitness['signature'] {
  return { r: [R.x, R.y], s: [s & HALF, s >> 128n] };
}
