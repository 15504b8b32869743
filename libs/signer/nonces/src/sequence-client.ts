import type { HeldKey, NonceSequenceKey, IdempotencyClaim } from '@tetrad/signer-store';
import { ForwardedError } from '@tetrad/rpc';
import type { Hash } from '@tetrad/types';

/**
 * The client's error with an HTTP status other than 200: it is returned to the caller unmodified and not retried.
 *
 * Source: docs/spec/signing-proxy.md#nonces: there is a retry after HTTP 200 alone
 */
export class FinalError extends ForwardedError {}

/** What a client says its chain is; a member is absent when it cannot say. */
export interface ClientChain {
  readonly chainId?: bigint | undefined;
  /** Hash of block 0. */
  readonly genesis?: Hash | undefined;
}

/**
 * The Ethereum client, as the nonce manager sees it for one nonce sequence.
 * @throws ForwardedError with the client's own error; RequestError without a usable answer, with `sent: false` in its
 *   data when no connection could be made, so that nothing can have arrived
 */
export interface SequenceClient {
  /** The account's next nonce, pending transactions counted. */
  pendingCount(): Promise<bigint>;
  /** The account's transactions in blocks. */
  minedCount(): Promise<bigint>;
  /**
   * Submits signed bytes.
   * @returns what the client answers
   */
  submit(raw: Uint8Array): Promise<Hash>;
  /** Whether the client has the transaction, in its pool or in a block; undefined when it cannot say. */
  knows(hash: Hash): Promise<boolean | undefined>;
  /** Which chain it is on. */
  chain(): Promise<ClientChain>;
}

export interface SignedBytes {
  readonly raw: Uint8Array;
  /** Identifies the bytes: the answer to a send when the client already has them. */
  readonly hash: Hash;
  /**
   * What must be stored before the bytes may be: the audit entry. For a nonce that the manager chose its commit need not
   * have reached the disk, as that of the bytes follows; the bytes do not leave before that.
   */
  readonly recorded?: Promise<unknown> | undefined;
}

/** Signs for a nonce. Called again, with another nonce, when that one turns out to be used. */
export type SignForNonce = (nonce: bigint) => SignedBytes | Promise<SignedBytes>;

/** Whether the caller has stopped waiting for an answer: an abort signal, or something cheaper for every send. */
export interface GivenUp {
  readonly aborted: boolean;
}

/** A transaction to be sent, whatever its kind. */
export interface NonceSend {
  readonly sequence: NonceSequenceKey;
  /** Speaks on behalf of the caller. */
  readonly client: SequenceClient;
  readonly sign: SignForNonce;
  /** The nonce that the caller chose; absent to use the next one of the sequence. */
  readonly nonce?: bigint | undefined;
  /** Aborted when the caller stops waiting: a transaction that is not submitted by then never is. */
  readonly signal?: GivenUp | undefined;
  /** When the caller gave an idempotency key. */
  readonly claim?: IdempotencyClaim | undefined;
}

/** A transaction to be sent, whose idempotency key, when it has one, is claimed. */
export interface ClaimedSend extends NonceSend {
  readonly claim?: (IdempotencyClaim & HeldKey) | undefined;
}
