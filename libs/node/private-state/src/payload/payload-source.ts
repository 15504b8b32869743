import type { Hash, PtmKey } from '@tetrad/types';
import type { PayloadHash } from './payload-hash.js';

/** 0 standard private, 1 party protection, 2 mandatory recipients, 3 private state validation. */
export type PrivacyFlag = 0 | 1 | 2 | 3;

/** A payload that this node is a party to, and what its sender declared with it. */
export interface PrivatePayload {
  readonly data: Uint8Array;
  readonly privacyFlag: PrivacyFlag;
  /** Creations of the contracts that the sender's simulation entered. */
  readonly affectedCreations: ReadonlySet<PayloadHash>;
  /** Root over all contracts that the sender's simulation entered, with flag 3; absent when it is zero. */
  readonly executionRoot?: Hash;
  /** Undefined where the manager does not tell (before API 2.1). */
  readonly sender: PtmKey | undefined;
  /** Keys of this node's manager among the parties; undefined where it does not tell. */
  readonly managedParties: readonly PtmKey[] | undefined;
}

export type PayloadAnswer =
  | { readonly kind: 'payload'; readonly payload: PrivatePayload }
  | { readonly kind: 'notParty' }
  /** Nobody can tell now; asking again may help. */
  | { readonly kind: 'unavailable'; readonly reason: string };

/** Where payloads come from: a transaction manager. */
export interface PayloadSource {
  find(hash: PayloadHash): Promise<PayloadAnswer>;
}
