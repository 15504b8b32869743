import type { Address, PtmKey } from '@tetrad/types';
import type { PayloadHash } from '../payload/payload-hash.js';
import type { PrivatePayload } from '../payload/payload-source.js';

/** An answer that can be missing for now. */
export type Known<T> =
  | { readonly kind: 'known'; readonly value: T }
  /** Not known now; the caller may retry. */
  | { readonly kind: 'unavailable'; readonly reason: string };

/** Queries to a manager about states that parties share. */
export interface SharedStates {
  /** Whether a key of this node's manager approved the extension of the management contract with the vote. */
  isOwnVote(vote: PayloadHash, management: Address): Promise<Known<boolean>>;
  /** The payload with the state; undefined when this node is not a party to it. */
  findState(hash: PayloadHash): Promise<Known<PrivatePayload | undefined>>;
  /** Parties of the payload, the sender among them, as far as this node's manager knows them; empty when the payload is gone. */
  partiesOf(hash: PayloadHash): Promise<Known<readonly PtmKey[]>>;
}
