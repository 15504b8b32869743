import type { PtmKey } from '@tetrad/types';
import type { PayloadHash } from './payload-hash.js';

/** Who a payload is of, as this node's manager says. */
export interface KnownParties {
  readonly sender: PtmKey | undefined;
  /** Keys of this node's manager among the parties. */
  readonly managedParties: readonly PtmKey[] | undefined;
  /** All that the manager knows of; undefined where it does not say it with the payload. */
  readonly participants?: readonly PtmKey[] | undefined;
  readonly privacyFlag: number;
}

/** Payloads, and keys of all of them together, that are remembered at most. */
const MAX_PAYLOADS = 10_000;
const MAX_KEYS = 100_000;

/** The parties of the payloads that were read last, so that the manager is not asked again what it has just said. */
export class RecentParties {
  private readonly known = new Map<PayloadHash, KnownParties>();
  private keys = 0;

  find(hash: PayloadHash): KnownParties | undefined {
    return this.known.get(hash);
  }

  add(hash: PayloadHash, { sender, managedParties, participants, privacyFlag }: KnownParties): void {
    this.forget(hash);
    const parties = { sender, managedParties, participants, privacyFlag };
    this.known.set(hash, parties);
    this.keys += weightOf(parties);
    for (const [oldest] of this.known) {
      if (this.known.size <= MAX_PAYLOADS && this.keys <= MAX_KEYS) return;
      this.forget(oldest);
    }
  }

  private forget(hash: PayloadHash): void {
    const parties = this.known.get(hash);
    if (parties === undefined) return;
    this.known.delete(hash);
    this.keys -= weightOf(parties);
  }
}

function weightOf({ managedParties = [], participants = [] }: KnownParties): number {
  return managedParties.length + participants.length;
}
