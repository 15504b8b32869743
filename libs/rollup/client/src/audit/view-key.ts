import type { JointKey, Point, SharedKeyProof, Signature } from '@tetrad/rollup-crypto';
import type { Address } from '@tetrad/types';

/** Batches whose operations are opened, and the blocks of the first and the last of them. */
export interface ViewPeriod {
  readonly from: number;
  readonly to: number;
  readonly fromBlock: number;
  readonly toBlock: number;
}

/** An account before the period, with its place in the account tree. */
export interface OpeningAccount {
  readonly leaf: bigint;
  readonly nonce: number;
  readonly redemptionIndex: number;
  readonly balances: ReadonlyMap<number, bigint>;
  /** The word of the leaf; 0 for none, and on contracts without consents. */
  readonly consent: bigint;
  /** From the leaf to the root of the account tree. */
  readonly siblings: readonly bigint[];
}

/** The state before the period. */
export interface Opening {
  readonly accountRoot: bigint;
  /** Frontier of the history tree (`frontierNodes`). */
  readonly frontier: readonly bigint[];
  /** Deposits that batches had taken; the next one has this index. */
  readonly deposits: number;
  /** Undefined when the account was made in the period. */
  readonly account: OpeningAccount | undefined;
}

/** A money order that the account made, but for what is public. */
export interface OpenedPayment {
  /** Total index of the operation. */
  readonly at: number;
  readonly toAccountId: number;
  readonly tokenId: number;
  readonly amount: bigint;
  readonly blindingFactor: bigint;
}

/** Which order an operation of the account redeemed. */
export interface OpenedRedemption {
  readonly at: number;
  /** Total index of the order. */
  readonly orderIndex: number;
}

/** A change of the account's consent. */
export interface OpenedConsent {
  readonly at: number;
  /** The word of the leaf afterwards; what it lets be credited stays hidden. */
  readonly consent: bigint;
}

/** What was credited to the account; who paid is public. */
export interface OpenedCredit {
  readonly at: number;
  readonly tokenId: number;
  readonly amount: bigint;
}

/** A transfer out, which is public; the clients of holder and auditor have to show the same. */
export interface ShownTransfer {
  readonly at: number;
  readonly toEthereumAddress: Address;
  readonly tokenId: number;
  readonly amount: bigint;
}

/** A money order for the account. */
export interface OpenedReceipt {
  readonly at: number;
  readonly fromAccountId: number;
  readonly tokenId: number;
  readonly amount: bigint;
  readonly blindingFactor: bigint;
  /** Of one that was made before the period and redeemed in it: the way to the history root after the period. */
  readonly proof: OrderProof | undefined;
}

export interface OrderProof {
  readonly siblings: readonly bigint[];
  readonly historySiblings: readonly bigint[];
}

/** What opens every money order of the period that was encrypted to the account, and shows that the others were not. */
export interface SharedKeys {
  /** One for each money order of the period with a text that can be read, in the order of the chain. */
  readonly keys: readonly Point[];
  readonly proof: SharedKeyProof;
}

/** Opens what one account did in one period, and nothing else of it. */
export interface ViewKey {
  readonly chainId: bigint;
  readonly contract: Address;
  /** For whom it is made, and what for. */
  readonly auditor: string;
  readonly purpose: string;
  readonly account: { readonly id: number; readonly publicKey: Point; readonly jointKey: JointKey };
  readonly period: ViewPeriod;
  readonly opening: Opening;
  readonly closing: { readonly siblings: readonly bigint[] };
  readonly sent: readonly OpenedPayment[];
  readonly redeemed: readonly OpenedRedemption[];
  readonly withdrawn: readonly ShownTransfer[];
  readonly consents: readonly OpenedConsent[];
  readonly credited: readonly OpenedCredit[];
  readonly received: readonly OpenedReceipt[];
  /** Version of the circuit of the leaf proofs. */
  readonly circuit: string;
  /** Leaf proofs of the account's leaves in order, the opening one first (`LeafProver`). */
  readonly leafProofs: readonly Uint8Array[];
  /** Undefined where received orders are not shown to be all. */
  readonly sharedKeys: SharedKeys | undefined;
}

export interface SignedViewKey {
  readonly viewKey: ViewKey;
  /** By the account key, of all that the view key says. */
  readonly signature: Signature;
}

/** What one view key may open; a longer period is disclosed in parts. */
export const VIEW_KEY_LIMITS = {
  /** Operations of the account. */
  operations: 10_000,
  /** Money orders for the account. */
  received: 50_000,
  /** Money orders of all accounts. */
  sharedKeys: 200_000,
  /** Of the file. */
  bytes: 64 * 2 ** 20,
} as const;
