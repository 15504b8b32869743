import type { LaneKey, IdempotencyClaim } from '@tetrad/signer-store';
import { ForwardedError } from '@tetrad/rpc';
import type { Hash } from '@tetrad/types';

/**
 * The client's error under an HTTP status other than 200: it goes to the caller as it came, and nothing is tried again.
 *
 * Source: signing-proxy.md, section 8: there is a retry after HTTP 200 alone
 */
export class FinalError extends ForwardedError {}

/**
 * The Ethereum client, as the nonce manager sees it for one lane.
 *
 * Fails: ForwardedError with the client's own error; RequestError when there is no usable answer, with `sent: false`
 * among its data when no connection could be made, so that nothing can have arrived
 */
export interface LaneClient {
  /** The account's next nonce, pending transactions counted. */
  pendingCount(): Promise<bigint>;
  /** The account's transactions in blocks. */
  minedCount(): Promise<bigint>;
  /** Submits signed bytes. Out: what the client answers */
  submit(raw: Uint8Array): Promise<Hash>;
  /** Whether the client has the transaction, in its pool or in a block; undefined when it cannot say. */
  knows(hash: Hash): Promise<boolean | undefined>;
}

export interface SignedBytes {
  readonly raw: Uint8Array;
  /** Names the bytes: what a send is answered with when the client has them already. */
  readonly hash: Hash;
  /** What must be stored before the bytes may leave: the audit entry. */
  readonly recorded?: Promise<unknown> | undefined;
}

/** Signs for a nonce. Called again, with another nonce, when that one turns out to be used. */
export type SignForNonce = (nonce: bigint) => SignedBytes | Promise<SignedBytes>;

/** Whether nobody waits for an answer any more: an abort signal, or what is cheaper to have for every send. */
export interface GivenUp {
  readonly aborted: boolean;
}

/** A transaction to be sent, whatever its kind. */
export interface NonceSend {
  readonly lane: LaneKey;
  /** Speaks on behalf of the caller. */
  readonly client: LaneClient;
  readonly sign: SignForNonce;
  /** The caller's own nonce; without one the next of the lane is taken. */
  readonly nonce?: bigint | undefined;
  /** Aborted when nobody waits for the answer any more: what was not submitted by then never is. */
  readonly signal?: GivenUp | undefined;
  /** When the caller gave an idempotency key. */
  readonly claim?: IdempotencyClaim | undefined;
}
