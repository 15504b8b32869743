import type { Peer } from '../peers/peer.js';
import type { Endpoint } from '../identity/enode.js';
import type { Acquaintance } from '../session/dial.js';
import type { Session, SessionId } from '../session/session.js';

/** A session and its owner. */
export type SessionEntry =
  | { readonly isConfirmed: true; readonly session: Session; readonly peer: Peer }
  /** The other side has not used it yet: it may not have got the welcome. */
  | {
      readonly isConfirmed: false;
      readonly session: Session;
      readonly acquaintance: Acquaintance;
      readonly endpoint: Endpoint;
      /** Address from which the key was proved, as `hostKey` returns it. */
      readonly address?: string;
    };

const MAX_UNCONFIRMED = 256;
const UNCONFIRMED_MS = 10_000;

/** Sessions by name. */
export class SessionTable {
  private readonly confirmed = new Map<SessionId, SessionEntry & { isConfirmed: true }>();
  private readonly unconfirmed = new Map<SessionId, SessionEntry & { isConfirmed: false }>();

  find(id: SessionId): SessionEntry | undefined {
    return this.confirmed.get(id) ?? this.unconfirmed.get(id);
  }

  /** Bounded: the oldest one that was not used makes room. */
  expect(entry: SessionEntry & { isConfirmed: false }, nowMs: number): void {
    for (const [id, { session }] of this.unconfirmed) {
      if (nowMs - session.openedMs < UNCONFIRMED_MS && this.unconfirmed.size < MAX_UNCONFIRMED) break;
      this.unconfirmed.delete(id);
    }
    this.unconfirmed.set(entry.session.id, entry);
  }

  confirm(session: Session, peer: Peer): void {
    this.unconfirmed.delete(session.id);
    this.confirmed.set(session.id, { isConfirmed: true, session, peer });
  }

  remove(id: SessionId): void {
    this.confirmed.delete(id);
    this.unconfirmed.delete(id);
  }

  get size(): number {
    return this.confirmed.size + this.unconfirmed.size;
  }
}
