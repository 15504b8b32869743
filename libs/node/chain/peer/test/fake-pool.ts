import { randomBytes } from 'node:crypto';
import { keccakHash } from '@tetrad/crypto';
import type { Hash } from '@tetrad/types';
import type { PoolOutcome, PoolPort, RawTransaction } from '../src/index.js';

/** A pool that takes everything, and counts. */
export class FakePool implements PoolPort {
  readonly content = new Map<Hash, Uint8Array>();
  /** Every transaction that a peer brought, in order. */
  readonly brought: Hash[] = [];
  check: (transaction: RawTransaction) => PoolOutcome = () => 'accepted';
  private readonly listeners = new Set<(transaction: RawTransaction) => void>();

  has(hash: Hash): boolean {
    return this.content.has(hash);
  }

  find(hash: Hash): Uint8Array | undefined {
    return this.content.get(hash);
  }

  async add(transactions: readonly RawTransaction[]): Promise<PoolOutcome[]> {
    return transactions.map((transaction) => {
      this.brought.push(transaction.hash);
      const outcome = this.check(transaction);
      if (outcome === 'accepted') this.accept(transaction);
      return outcome;
    });
  }

  /** As if a client had sent it. */
  accept({ hash, raw }: RawTransaction): void {
    this.content.set(hash, Uint8Array.from(raw));
    for (const listener of this.listeners) listener({ hash, raw });
  }

  onAdded(listener: (transaction: RawTransaction) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  hashes(limit: number): Hash[] {
    return [...this.content.keys()].slice(0, limit);
  }
}

/** A transaction's form, with other content each time. */
export function makeTransaction(size = 100): RawTransaction {
  const raw = Uint8Array.from(Buffer.concat([Uint8Array.of(2, 0xf8, size), randomString(size)]));
  return { hash: keccakHash(raw), raw };
}

function randomString(size: number): Uint8Array {
  return Buffer.concat([Uint8Array.of(0xb8, size - 2), randomBytes(size - 2)]);
}
