import { CommitGroup, type Database } from '@tetrad/db';
import { NonceState } from './generated/enums.js';
import { listSigned } from './hot/list-signed.js';
import { replaceSigned } from './hot/replace-signed.js';
import { reserveFresh } from './hot/reserve-fresh.js';
import { reserveNonces } from './hot/reserve-nonces.js';
import { storeGiven } from './hot/store-given.js';
import { storeSigned } from './hot/store-signed.js';
import { moveNonces } from './move-nonces.js';
import type {
  MoveKind,
  NewlySigned,
  NonceMove,
  NonceName,
  ReserveRequest,
  SignedEntry,
  SignedNonce,
  StoredSigned,
} from './nonce-rows.js';

/** Bytes of signed transactions that one statement stores, unless one is larger: they are held several times while they are written. */
const SIGNED_BYTES = 8 * 1_048_576;

/**
 * The rows of the nonce manager, as one replica works on them: each row has an owner, and a change by anyone else
 * does nothing and says so. Locks are always taken on nonce sequences first and then on entries, both in ascending
 * order. Claims of idempotency keys are locked before the entries whose bytes are stored, and after those that are moved:
 * an entry is never both at a time.
 */
export class NonceStore {
  private readonly reservations: CommitGroup<ReserveRequest, bigint[]>;
  private readonly signatures: CommitGroup<NewlySigned, StoredSigned>;
  private readonly moves = new Map<MoveKind, CommitGroup<NonceMove, boolean>>();

  constructor(
    private readonly database: Database,
    private readonly options: { readonly replica: string },
  ) {
    this.reservations = new CommitGroup((requests) => this.writeReservations(requests));
    this.signatures = new CommitGroup((group) => storeSigned(database.pool, group, options.replica), {
      bytes: { of: ({ raw }) => raw.length, group: SIGNED_BYTES },
    });
  }

  /**
   * Reserves nonces of a sequence; requests for one sequence get different ones.
   * @returns ascending; fewer than wanted when callers used some by themselves
   */
  reserve(request: ReserveRequest): Promise<bigint[]> {
    return this.reservations.add(request);
  }

  /**
   * Stores the bytes of a reserved nonce, unless the reservation or the claim of the idempotency key is lost; of several
   * for one nonce only the first are stored.
   */
  storeSigned(signed: NewlySigned): Promise<StoredSigned> {
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
   * @returns `new`; `returned` when the nonce was free to be assigned again; `taken` when a transaction of ours has it,
   *   and nothing is stored
   */
  storeGiven(signed: SignedNonce): Promise<'new' | 'returned' | 'taken'> {
    return storeGiven(this.database.pool, signed, this.options.replica);
  }

  /** Points a row at the transaction that replaced the previous one on the client. */
  replace(signed: SignedNonce): Promise<void> {
    return replaceSigned(this.database.pool, signed, this.options.replica);
  }

  /** Entries with bytes in one of the states, the lowest nonces first. */
  listSigned(
    sequenceId: number,
    query: { readonly states: readonly NonceState[]; readonly from: bigint; readonly limit: number },
  ): Promise<SignedEntry[]> {
    return listSigned(this.database.pool, sequenceId, query);
  }

  /** The row of a nonce, when it has bytes. */
  async find({ sequenceId, nonce }: NonceName): Promise<SignedEntry | undefined> {
    const states = Object.values(NonceState);
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
}
