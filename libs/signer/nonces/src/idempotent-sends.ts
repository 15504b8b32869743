import { createHash } from 'node:crypto';
import type { ClaimedKey, IdempotencyClaim, IdempotencyStore } from '@tetrad/signer-store';
import {
  RequestError,
  addressToBytes,
  backOffMs,
  pause,
  type Address,
  type Clock,
  type Hash,
} from '@tetrad/types';
import type { GivenUp } from './sequence-client.js';
import type { NonceManagerTiming } from './params.js';
import { ClaimLostError, assertWanted } from './send-errors.js';
import { readAnswer } from './stored-answer.js';

export interface IdempotentRequest {
  /** The authenticated caller; empty without authentication. */
  readonly caller: string;
  readonly account: Address;
  /** The key that the caller chose. */
  readonly key: string;
  /** The request in one encoding, whatever it is. */
  readonly request: Uint8Array;
}

/** Longest key in UTF-16 units. */
const MAX_KEY_LENGTH = 255;

/**
 * The claim on a caller's idempotency key.
 *
 * Layout: digest = SHA-256(length of caller in UTF-8 (4) ‖ caller ‖ account (20) ‖ key)
 *
 * @throws RequestError INVALID_INPUT when the key is empty or too long
 */
export function idempotencyClaim({ caller, account, key, request }: IdempotentRequest): IdempotencyClaim {
  if (key === '' || key.length > MAX_KEY_LENGTH) {
    throw new RequestError(
      'INVALID_INPUT',
      `the idempotency key must have 1 to ${MAX_KEY_LENGTH} characters`,
    );
  }
  const length = Buffer.alloc(4);
  length.writeUInt32BE(Buffer.byteLength(caller));
  return {
    digest: sha256(length, Buffer.from(caller), addressToBytes(account), Buffer.from(key)),
    request: sha256(request),
  };
}

/** Pauses between looks at a claim that another request holds. */
const PAUSES = { firstMs: 20, maxMs: 500 };

/** What is done under a claim; a claim that was taken over is one that a replica left behind. */
type ClaimedWork = (claimed: ClaimedKey) => Promise<Hash>;

/** Gives a request with an idempotency key the answer of the first one that had it. */
export class IdempotentSends {
  constructor(
    private readonly parts: {
      readonly store: IdempotencyStore;
      readonly clock: Clock;
      readonly timing: NonceManagerTiming;
    },
  ) {}

  /**
   * Runs the work unless another request has run it; work of a replica that died is run again. The nonce manager
   * stores the answer together with the outcome. A request whose claim was taken over while it worked, since its replica
   * stood still, is from then on a duplicate of the one that has the claim.
   * @throws as the work, or as it did the first time when the client refused it; RequestError IDEMPOTENCY_KEY_REUSED
   *   when the key was given with another request, IDEMPOTENCY_KEY_IN_FLIGHT when the first has no answer yet
   */
  async run(claim: IdempotencyClaim, signal: GivenUp | undefined, work: ClaimedWork): Promise<Hash> {
    const { store, clock, timing } = this.parts;
    let deadline = clock.now() + timing.duplicateWaitMs;
    for (let looks = 1; ; looks += 1) {
      assertWanted(signal);
      const result = await store.claim(claim);
      if (result.status === 'claimed' || result.status === 'taken-over') {
        const hash = await this.work(claim, result, work);
        if (hash !== undefined) return hash;
        deadline = clock.now() + timing.duplicateWaitMs;
        continue;
      }
      if (result.status === 'answered') return readAnswer(result.json);
      if (result.status === 'other-request') throw reused();
      if (clock.now() >= deadline) throw inFlight();
      await pause(clock, backOffMs(looks, PAUSES));
    }
  }

  /**
   * @returns undefined when the claim was lost
   * @throws as the work
   */
  private async work(
    claim: IdempotencyClaim,
    claimed: ClaimedKey,
    work: ClaimedWork,
  ): Promise<Hash | undefined> {
    try {
      return await work(claimed);
    } catch (error) {
      if (!(error instanceof ClaimLostError)) throw error;
      return undefined;
    } finally {
      await this.release(claim);
    }
  }

  /** A key that cannot be released now is claimed by the next request; see `IdempotencyStore.claim`. */
  private release(claim: IdempotencyClaim): Promise<void> {
    return this.parts.store.release(claim).catch(() => undefined);
  }
}

function reused(): RequestError {
  return new RequestError('IDEMPOTENCY_KEY_REUSED', 'the idempotency key was used for another request');
}

function inFlight(): RequestError {
  return new RequestError(
    'IDEMPOTENCY_KEY_IN_FLIGHT',
    'the first request with this idempotency key has no answer yet',
  );
}

function sha256(...parts: readonly Uint8Array[]): Uint8Array {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest();
}
