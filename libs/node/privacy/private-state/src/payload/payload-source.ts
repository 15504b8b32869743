import type { Hash, PtmKey } from '@tetrad/types';
import type { PayloadHash } from './payload-hash.js';

/** 0 standard private, 1 party protection, 2 mandatory recipients, 3 private state validation. */
export type PrivacyFlag = 0 | 1 | 2 | 3;

/** A payload that this node is a party to, with the metadata that its sender declared. */
export interface PrivatePayload {
  readonly data: Uint8Array;
  readonly privacyFlag: PrivacyFlag;
  /** Creations of the contracts that the sender declared as affected, from its dry run. */
  readonly affectedCreations: ReadonlySet<PayloadHash>;
  /** Root over all contracts that the sender's dry run entered, with flag 3; absent when it is zero. */
  readonly executionRoot?: Hash;
  /** Undefined when the manager does not report it (before API 2.1). */
  readonly sender: PtmKey | undefined;
  /** Keys of this node's manager among the parties; undefined when it does not report them. */
  readonly managedParties: readonly PtmKey[] | undefined;
}

export type PayloadAnswer =
  | { readonly kind: 'payload'; readonly payload: PrivatePayload }
  | { readonly kind: 'notParty' }
  /** Not known now; the caller may retry. */
  | { readonly kind: 'unavailable'; readonly reason: string };

/** Source of payloads: a transaction manager. */
export interface PayloadSource {
  find(hash: PayloadHash): Promise<PayloadAnswer>;
}
