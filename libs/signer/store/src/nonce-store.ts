import { asBuffer, asBufferOrNull, CommitGroup, type Database } from '@tetrad/db';
import { hashFromBytes, hashToBytes } from '@tetrad/types';
import { moveNonces } from './move-nonces.js';
import {
  areNamed,
  byName,
  inLockOrder,
  type MoveKind,
  type NonceMove,
  type NonceName,
  type NonceRowName,
  type NonceState,
  type ReserveRequest,
  type SignedEntry,
  type SignedNonce,
} from './nonce-rows.js';
import { reserveFresh, reserveNonces } from './reserve-nonces.js';

interface EntryRow {
  readonly lane_id: number;
  readonly nonce: string;
  readonly state: NonceState;
  readonly given: boolean;
  readonly lost: boolean;
  readonly raw: Buffer;
  readonly hash: Buffer;
  readonly idempotency: Buffer | null;
  readonly age_ms: number;
}

/**
 * The rows of the nonce manager, as one replica works on them: each row has an owner, and a change by anyone else
 * does nothing and says so. Locks are always taken on nonce sequences first and then on entries, both in ascending
 * order.
 */
export class NonceStore {
  private readonly reservations: CommitGroup<ReserveRequest, bigint[]>;
  private readonly signatures: CommitGroup<SignedNonce, boolean>;
  private readonly moves = new Map<MoveKind, CommitGroup<NonceMove, boolean>>();

  constructor(
    private readonly database: Database,
    private readonly options: { readonly replica: string },
  ) {
    this.reservations = new CommitGroup((requests) => this.writeReservations(requests));
    this.signatures = new CommitGroup((group) => this.writeSigned(group));
  }

  /**
   * Reserves nonces of a sequence; one request per sequence at a time.
   *
   * Out: ascending; fewer than wanted when callers used some by themselves
   */
  reserve(request: ReserveRequest): Promise<bigint[]> {
    return this.reservations.add(request);
  }

  /** Stores the bytes of a reserved nonce; false when the reservation is not this replica's any more. */
  storeSigned(signed: SignedNonce): Promise<boolean> {
    return this.signatures.add(signed);
  }

  /** Changes a state; false when the row is not this replica's, or in none of the states that lead there. */
  move(move: NonceMove): Promise<boolean> {
    const { kind } = move;
    let moves = this.moves.get(kind);
    if (moves === undefined) {
      const { database, options } = this;
      const made = { kind, replica: options.replica };
      moves = new CommitGroup((group) => moveNonces(database, group, made));
      this.moves.set(kind, moves);
    }
    return moves.add(move);
  }

  /**
   * Stores the bytes for a nonce that a caller named.
   *
   * Out: `new`; `returned` when the nonce was free to be assigned again; `taken` when a transaction of ours has it, and
   * nothing is stored
   */
  async storeGiven(signed: SignedNonce): Promise<'new' | 'returned' | 'taken'> {
    const { rows } = await this.database.pool.query<{ returned: boolean }>({
      name: 'store-given',
      text: `INSERT INTO nonce_entry (lane_id, nonce, state, given, owner, raw, hash, idempotency)
             VALUES ($1, $2, 'signed', true, $3, $4, $5, $6)
             ON CONFLICT (lane_id, nonce) DO UPDATE
                SET state = 'signed', given = true, owner = excluded.owner, raw = excluded.raw,
                    hash = excluded.hash, idempotency = excluded.idempotency, changed_at = now()
              WHERE nonce_entry.state = 'free'
             RETURNING xmax <> 0 AS returned`,
      values: this.valuesOf(signed),
    });
    if (rows[0] === undefined) return 'taken';
    return rows[0].returned ? 'returned' : 'new';
  }

  /** Points a row at the transaction that replaced the previous one on the client. */
  async replace(signed: SignedNonce): Promise<void> {
    await this.database.pool.query({
      name: 'replace-signed',
      text: `INSERT INTO nonce_entry (lane_id, nonce, state, given, owner, raw, hash, idempotency)
             VALUES ($1, $2, 'accepted', true, $3, $4, $5, $6)
             ON CONFLICT (lane_id, nonce) DO UPDATE
                SET state = 'accepted', owner = excluded.owner, raw = excluded.raw, hash = excluded.hash,
                    idempotency = excluded.idempotency, changed_at = now()`,
      values: this.valuesOf(signed),
    });
  }

  /** Entries with bytes in one of the states, the lowest nonces first. */
  async listSigned(
    sequenceId: number,
    { states, from, limit }: { states: readonly NonceState[]; from: bigint; limit: number },
  ): Promise<SignedEntry[]> {
    const { rows } = await this.database.pool.query<EntryRow>({
      name: 'list-signed',
      text: `SELECT *, extract(epoch FROM now() - changed_at)::float8 * 1000 AS age_ms FROM nonce_entry
              WHERE lane_id = $1 AND state = ANY($2::nonce_state[]) AND nonce >= $3 AND raw IS NOT NULL
              ORDER BY nonce LIMIT $4`,
      values: [sequenceId, states, from.toString(), limit],
    });
    return rows.map(toSignedEntry);
  }

  /** The row of a nonce, when it has bytes. */
  async find({ sequenceId, nonce }: NonceName): Promise<SignedEntry | undefined> {
    const states: NonceState[] = ['free', 'reserved', 'signed', 'doubtful', 'accepted'];
    const [entry] = await this.listSigned(sequenceId, { states, from: nonce, limit: 1 });
    return entry?.nonce === nonce ? entry : undefined;
  }

  private async writeReservations(requests: readonly ReserveRequest[]): Promise<bigint[][]> {
    const [only] = requests;
    if (requests.length === 1 && only !== undefined && only.clientCount === undefined) {
      const fresh = await reserveFresh(this.database.pool, only, this.options.replica);
      if (fresh.length > 0) return [fresh];
    }
    return this.database.transaction((client) => reserveNonces(client, requests, this.options.replica));
  }

  private async writeSigned(group: readonly SignedNonce[]): Promise<boolean[]> {
    const ordered = inLockOrder(group);
    const { rows } = await this.database.pool.query<NonceRowName>({
      name: 'store-signed',
      text: `
        UPDATE nonce_entry
           SET state = 'signed', raw = signed.raw, hash = signed.hash, idempotency = signed.idempotency,
               changed_at = now()
          FROM unnest($1::bigint[], $2::numeric[], $3::bytea[], $4::bytea[], $5::bytea[])
                 AS signed (lane_id, nonce, raw, hash, idempotency)
         WHERE ${byName('signed')} AND state = 'reserved' AND owner = $6
        RETURNING nonce_entry.lane_id, nonce_entry.nonce`,
      values: [
        ordered.map(({ sequenceId }) => sequenceId),
        ordered.map(({ nonce }) => nonce.toString()),
        ordered.map(({ raw }) => asBuffer(raw)),
        ordered.map(({ hash }) => asBuffer(hashToBytes(hash))),
        ordered.map(({ idempotency }) => asBufferOrNull(idempotency)),
        this.options.replica,
      ],
    });
    return areNamed(group, rows);
  }

  private valuesOf({ sequenceId, nonce, raw, hash, idempotency }: SignedNonce): unknown[] {
    return [
      sequenceId,
      nonce.toString(),
      this.options.replica,
      asBuffer(raw),
      asBuffer(hashToBytes(hash)),
      asBufferOrNull(idempotency),
    ];
  }
}

function toSignedEntry(row: EntryRow): SignedEntry {
  return {
    sequenceId: row.lane_id,
    nonce: BigInt(row.nonce),
    state: row.state,
    given: row.given,
    lost: row.lost,
    raw: row.raw,
    hash: hashFromBytes(row.hash),
    ...(row.idempotency === null ? {} : { idempotency: row.idempotency }),
    ageMs: row.age_ms,
  };
}
