import { asBuffer, type Database } from '@tetrad/db';
import { clientBytes } from '@tetrad/db/client';
import { claimKey, type ClaimedKey, type IdempotencyClaim } from './hot/claim-key.js';
import { pruneKeys } from './hot/prune-keys.js';
import { releaseKey } from './hot/release-key.js';
import type { SignerCalls } from './signer-client.js';

/**
 * Result of a claim: it is ours, new or taken over from a process that died; another request holds it; or it has an
 * answer (JSON).
 */
export type ClaimResult =
  | ClaimedKey
  | { readonly status: 'in-flight' | 'other-request' }
  | { readonly status: 'answered'; readonly json: string };

/** First answers to requests with an idempotency key. */
export class IdempotencyStore {
  /**
   * Claims that this process works on, until they are released, with their versions (see `ClaimedKey`; undefined while they
   * are being made); one that has its name but is not here was left behind.
   */
  private readonly running = new Map<string, string | undefined>();

  constructor(
    private readonly database: Pick<Database, 'pool'>,
    private readonly options: { readonly client: SignerCalls; readonly replica: string },
  ) {}

  /** Claims the key unless it is claimed; a claim whose replica died before it signed anything is void. */
  async claim(claim: IdempotencyClaim): Promise<ClaimResult> {
    const name = nameOf(claim.digest);
    if (this.running.has(name)) return this.look(claim);
    this.running.set(name, undefined);
    try {
      const claimed = await claimKey(this.database.pool, claim, this.options.replica);
      if (claimed !== undefined) {
        this.running.set(name, claimed.version);
        return claimed;
      }
    } catch (error) {
      this.running.delete(name);
      throw error;
    }
    this.running.delete(name);
    return this.look(claim);
  }

  /**
   * Ends the work on a claim. Without an answer the key becomes free, unless signed bytes are still in flight: then the
   * nonce manager stores the answer later.
   * @throws the database's error; the next request takes the claim over then
   */
  async release({ digest }: IdempotencyClaim): Promise<void> {
    const name = nameOf(digest);
    const version = this.running.get(name);
    if (version === undefined) return;
    try {
      await releaseKey(this.database.pool, { digest, owner: this.options.replica, version });
    } finally {
      // Not before: a duplicate would make the claim its own, and the statement would take that away.
      this.running.delete(name);
    }
  }

  /**
   * Forgets keys that were first used longer ago.
   * @returns how many
   */
  prune(ttlMs: number): Promise<number> {
    return pruneKeys(this.database.pool, ttlMs);
  }

  private async look({ digest, request }: IdempotencyClaim): Promise<ClaimResult> {
    const { client } = this.options;
    const row = await client.idempotencyKey.findUnique({
      where: { digest: clientBytes(digest) },
      select: { request: true, answer: true },
    });
    if (row !== null && !asBuffer(row.request).equals(request)) return { status: 'other-request' };
    // A row that was deleted meanwhile was given up; the next request can claim the key.
    if (row === null || row.answer === null) return { status: 'in-flight' };
    return { status: 'answered', json: row.answer };
  }
}

function nameOf(digest: Uint8Array): string {
  return asBuffer(digest).toString('latin1');
}
