import type { NonceState } from './generated/enums.js';
import type { Address, Hash } from '@tetrad/types';
import type { HeldKey } from './hot/claim-key.js';

/** Key of a nonce sequence: an account on a chain, for public transactions or for one privacy group. */
export interface NonceSequenceKey {
  readonly chainId: bigint;
  readonly account: Address;
  /** 32 bytes; absent for public transactions. */
  readonly privacyGroup?: Uint8Array | undefined;
}

export interface NonceSequence extends NonceSequenceKey {
  readonly id: number;
}

/** State of a nonce; a nonce without a row was never assigned, or is used on the chain. */
export type { NonceState };

/** A row of the nonce manager by its name. */
export interface NonceName {
  readonly sequenceId: number;
  readonly nonce: bigint;
}

export interface ReserveRequest {
  readonly sequenceId: number;
  /** How many nonces, at least 1. */
  readonly wanted: number;
  /** What the client says is the account's next nonce; absent when it was not asked. */
  readonly clientCount?: bigint | undefined;
}

export interface SignedNonce extends NonceName {
  readonly raw: Uint8Array;
  readonly hash: Hash;
  /** Digest of the idempotency key. */
  readonly idempotency?: Uint8Array | undefined;
}

/** Bytes for a reserved nonce. */
export interface NewlySigned extends Omit<SignedNonce, 'idempotency'> {
  /** Of a send with an idempotency key: without it the bytes are not stored. */
  readonly claim?: HeldKey | undefined;
}

/**
 * What became of the bytes for a reserved nonce:
 *
 * stored           — they may be submitted
 * reservation-lost — the nonce is not this replica's any more, or has other bytes
 * claim-lost       — another request has the idempotency key, or bytes of another have it; the nonce is as it was
 */
export type StoredSigned = 'stored' | 'reservation-lost' | 'claim-lost';

/** From which states a row comes into which; moves of one kind are stored together. */
export interface MoveKind {
  readonly from: readonly NonceState[];
  /** `gone` takes the row away. */
  readonly to: Exclude<NonceState, 'reserved' | 'signed'> | 'gone';
}

/** A change of state that is made when the row is in one of the states it leads from. */
export interface NonceMove extends NonceName {
  /** One object for all moves of the kind. */
  readonly kind: MoveKind;
  /** Of the bytes that the row must have when it has any; absent when it must have none. */
  readonly hash?: Hash | undefined;
  /** What the idempotency key of the send is answered with from now on, as JSON; null gives the key up. */
  readonly answer?: { readonly idempotency: Uint8Array; readonly json: string | null } | undefined;
}

/** A row whose bytes are stored. */
export interface SignedEntry extends SignedNonce {
  readonly state: NonceState;
  /** It is submitted once. */
  readonly given: boolean;
  /** The client refused it as the nonce of another transaction, and later did not count past it; its send has another nonce. */
  readonly lost: boolean;
  /** Since the last change of state. */
  readonly ageMs: number;
}

/** How long states last before a replica acts on them, in milliseconds. */
export interface NonceTiming {
  /** A replica that has not been heard of for this long is dead. */
  readonly replicaTtlMs: number;
  /**
   * A client that counts fewer transactions than a sequence can go down to, or is on another chain, is believed after this
   * long.
   */
  readonly resetGraceMs: number;
  /** Longer than signing and submitting ever take: an older entry belongs to a send that failed to report its end. */
  readonly stuckMs: number;
  /** A nonce named by a caller is forgotten after this long without being mined. */
  readonly givenTtlMs: number;
}
