import type { Point, Signature } from '@tetrad/rollup-crypto';
import { parseAddress, type Address } from '@tetrad/types';
import type { Result } from 'ethers/abi';

/** A leaf of the account tree, and what leads from it to a state root (`proveAccount` of rollup-state). */
export interface AccountProof {
  readonly id: number;
  readonly publicKey: Point;
  readonly jointKeyHash: bigint;
  readonly balancesRoot: bigint;
  /** Nonce of the latest operation. */
  readonly nonce: number;
  readonly redemptionIndex: number;
  readonly blindingFactor: bigint;
  /** Undefined in a rollup without consents, whose leaves have eight words. */
  readonly consent?: bigint | undefined;
  /** 28, the leaf's own first. */
  readonly siblings: readonly bigint[];
  readonly historyRoot: bigint;
}

/** A balance, and what leads from it to the root of the account's balances. */
export interface BalanceProof {
  readonly tokenId: number;
  readonly amount: bigint;
  /** 8 */
  readonly siblings: readonly bigint[];
}

/** A money order to the account, and what leads from it to the history root. */
export interface OrderProof {
  readonly fromAccountId: number;
  readonly tokenId: number;
  readonly amount: bigint;
  readonly blindingFactor: bigint;
  readonly totalIndex: number;
  /** 12, to the root of the batch's orders. */
  readonly siblings: readonly bigint[];
  /** 32, from there. */
  readonly historySiblings: readonly bigint[];
}

/** A transfer out that its account signed with the nonce after the proved one, without a text. */
export interface ProvedTransfer {
  readonly account: AccountProof;
  readonly balance: BalanceProof;
  readonly amount: bigint;
  readonly recipient: Address;
  readonly signature: Signature;
}

/** A redemption that its account signed with the nonce after the proved one. */
export interface ProvedRedemption {
  readonly account: AccountProof;
  /** Balance of the order's token, before the redemption. */
  readonly balance: BalanceProof;
  readonly order: OrderProof;
  /** The fifteen words of its ciphertext. */
  readonly text: readonly bigint[];
  readonly signature: Signature;
}

/** Who is paid what the account has, signed with `claimHash`. */
export interface ProvedClaim {
  readonly account: AccountProof;
  readonly recipient: Address;
  readonly signature: Signature;
}

/** In the order of the structs of StateProofs.sol. */
export const stateProofValues = {
  account: (proof: AccountProof): readonly unknown[] => [
    proof.id,
    [proof.publicKey.x, proof.publicKey.y],
    proof.jointKeyHash,
    proof.balancesRoot,
    proof.nonce,
    proof.redemptionIndex,
    proof.blindingFactor,
    ...(proof.consent === undefined ? [] : [proof.consent]),
    proof.siblings,
    proof.historyRoot,
  ],
  balance: ({ tokenId, amount, siblings }: BalanceProof): readonly unknown[] => [tokenId, amount, siblings],
  order: (proof: OrderProof): readonly unknown[] => [
    proof.fromAccountId,
    proof.tokenId,
    proof.amount,
    proof.blindingFactor,
    proof.totalIndex,
    proof.siblings,
    proof.historySiblings,
  ],
  signature: ({ R, s }: Signature): readonly unknown[] => [R.x, R.y, s],
  transfer: ({ account, balance, amount, recipient, signature }: ProvedTransfer): readonly unknown[] => [
    stateProofValues.account(account),
    stateProofValues.balance(balance),
    amount,
    recipient,
    stateProofValues.signature(signature),
  ],
  redemption: ({ account, balance, order, text, signature }: ProvedRedemption): readonly unknown[] => [
    stateProofValues.account(account),
    stateProofValues.balance(balance),
    stateProofValues.order(order),
    text,
    stateProofValues.signature(signature),
  ],
  claim: ({ account, recipient, signature }: ProvedClaim): readonly unknown[] => [
    stateProofValues.account(account),
    recipient,
    stateProofValues.signature(signature),
  ],
};

/** The other way round, of the events of requests. */
export const stateProofOf = {
  transfer: ([account, balance, amount, recipient, signature]: Result): ProvedTransfer => ({
    account: accountOf(account),
    balance: balanceOf(balance),
    amount,
    recipient: parseAddress(recipient),
    signature: signatureOf(signature),
  }),
  redemption: ([account, balance, order, text, signature]: Result): ProvedRedemption => ({
    account: accountOf(account),
    balance: balanceOf(balance),
    order: orderOf(order),
    text: [...text],
    signature: signatureOf(signature),
  }),
};

const accountOf = (values: Result): AccountProof => ({
  id: Number(values['id']),
  publicKey: { x: values['publicKey'][0], y: values['publicKey'][1] },
  jointKeyHash: values['jointKeyHash'],
  balancesRoot: values['balancesRoot'],
  nonce: Number(values['nonce']),
  redemptionIndex: Number(values['redemptionIndex']),
  blindingFactor: values['blindingFactor'],
  siblings: [...values['siblings']],
  ...('consent' in values.toObject() ? { consent: values['consent'] } : {}),
  historyRoot: values['historyRoot'],
});

const balanceOf = ([tokenId, amount, siblings]: Result): BalanceProof => ({
  tokenId: Number(tokenId),
  amount,
  siblings: [...siblings],
});

const orderOf = (values: Result): OrderProof => ({
  fromAccountId: Number(values['fromId']),
  tokenId: Number(values['tokenId']),
  amount: values['amount'],
  blindingFactor: values['blindingFactor'],
  totalIndex: Number(values['totalIndex']),
  siblings: [...values['siblings']],
  historySiblings: [...values['historySiblings']],
});

const signatureOf = ([x, y, s]: Result): Signature => ({ R: { x, y }, s });
