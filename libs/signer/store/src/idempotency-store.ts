import { asBuffer, type Database } from '@tetrad/db';

export interface IdempotencyClaim {
  /** SHA-256 of caller, account and key. */
  readonly digest: Uint8Array;
  /** SHA-256 of the request. */
  readonly request: Uint8Array;
}

/**
 * Result of a claim: it is ours, new or taken over from a process that died; another request holds it; or it has an
 * answer (JSON).
 */
export type ClaimResult =
  | { readonly status: 'claimed' | 'taken-over' | 'in-flight' | 'other-request' }
  | { readonly status: 'answered'; readonly json: string };

interface KeyRow {
  readonly request: Buffer;
  readonly answer: string | null;
}

/** First answers to requests with an idempotency key. */
export class IdempotencyStore {
  /** Claims that this process works on; one that has its name but is not here was left behind. */
  private readonly running = new Set<string>();

  constructor(
    private readonly database: Database,
    private readonly replica: string,
  ) {}

  /** Claims the key unless it is claimed; a claim whose replica died before it signed anything is void. */
  async claim(claim: IdempotencyClaim): Promise<ClaimResult> {
    const name = nameOf(claim.digest);
    if (this.running.has(name)) return this.look(claim);
    this.running.add(name);
    try {
      const status = await this.insert(claim);
      if (status !== undefined) return { status };
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
   */
  async release({ digest }: IdempotencyClaim): Promise<void> {
    this.running.delete(nameOf(digest));
    await this.database.pool.query({
      name: 'release-idempotency-key',
      text: `DELETE FROM idempotency_key
              WHERE digest = $1 AND owner = $2 AND answer IS NULL
                AND NOT EXISTS (SELECT FROM nonce_entry WHERE idempotency = $1)`,
      values: [asBuffer(digest), this.replica],
    });
  }

  /** Forgets keys that were first used longer ago; OFFSET 0 is as in `NonceSequenceStore.claim`. Out: how many */
  async prune(ttlMs: number): Promise<number> {
    const { rowCount } = await this.database.pool.query(
      `DELETE FROM idempotency_key WHERE created_at < now() - make_interval(secs => $1::float8 / 1000)
          AND NOT EXISTS (SELECT FROM nonce_entry WHERE idempotency = digest OFFSET 0)`,
      [ttlMs],
    );
    return rowCount ?? 0;
  }

  /** Out: undefined when another request holds or held the key. */
  private async insert({ digest, request }: IdempotencyClaim): Promise<'claimed' | 'taken-over' | undefined> {
    const { rows } = await this.database.pool.query<{ is_new: boolean }>({
      name: 'claim-idempotency-key',
      text: `INSERT INTO idempotency_key (digest, request, owner) VALUES ($1, $2, $3)
             ON CONFLICT (digest) DO UPDATE SET owner = excluded.owner
              WHERE idempotency_key.answer IS NULL AND idempotency_key.request = excluded.request
                AND (idempotency_key.owner = $3
                     OR idempotency_key.owner NOT IN (SELECT id FROM replica WHERE alive_until > now()))
                AND NOT EXISTS (SELECT FROM nonce_entry WHERE idempotency = $1)
             RETURNING xmax = 0 AS is_new`,
      values: [asBuffer(digest), asBuffer(request), this.replica],
    });
    const [row] = rows;
    if (row === undefined) return undefined;
    return row.is_new ? 'claimed' : 'taken-over';
  }

  private async look({ digest, request }: IdempotencyClaim): Promise<ClaimResult> {
    const { rows } = await this.database.pool.query<KeyRow>({
      name: 'find-idempotency-key',
      text: 'SELECT request, answer FROM idempotency_key WHERE digest = $1',
      values: [asBuffer(digest)],
    });
    const row = rows[0];
    if (row !== undefined && !row.request.equals(request)) return { status: 'other-request' };
    // A row that was deleted meanwhile was given up; the next request can claim the key.
    if (row === undefined || row.answer === null) return { status: 'in-flight' };
    return { status: 'answered', json: row.answer };
  }
}

function nameOf(digest: Uint8Array): string {
  return asBuffer(digest).toString('latin1');
}
