import { describe, expect, it } from '@jest/globals';
import {
  ZERO_ADDRESS,
  addressFromBytes,
  hashFromBytes,
  type Address,
  type SignedTransaction,
} from '@tetrad/types';
import fc from 'fast-check';
import { AccountQueue } from './account-queue.js';
import { PoolBook } from './pool-book.js';
import type { PoolEntry } from './pool-entry.js';
import { STANDING } from './standing.js';

let made = 0;

function entry(nonce: bigint, cost: bigint, sender = ZERO_ADDRESS): PoolEntry {
  made += 1;
  const hash = hashFromBytes(Buffer.from(made.toString(16).padStart(64, '0'), 'hex'));
  const transaction = {
    nonce,
    sender,
    hash,
    raw: new Uint8Array(Number(cost)),
  } as unknown as SignedTransaction;
  const state = {
    durable: true,
    remote: false,
    replaced: undefined,
    setAside: false,
    overtaken: false,
    evicted: false,
  };
  return { transaction, sequence: made, enteredMs: made, price: 0n, cost, ...state };
}

/** What happens to one sender's transactions, with small numbers so that nonces meet. */
const step = fc.oneof(
  fc.record({ kind: fc.constant('put' as const), nonce: fc.nat(12), cost: fc.nat(9) }),
  fc.record({ kind: fc.constant('remove' as const), nonce: fc.nat(12) }),
  fc.record({ kind: fc.constant('advance' as const), nonce: fc.nat(14) }),
);

/** The same rules, computed from scratch each time. */
class Model {
  base = 0;
  readonly byNonce = new Map<number, PoolEntry>();

  get firstGap(): number {
    let gap = this.base;
    while (this.byNonce.has(gap)) gap++;
    return gap;
  }

  get queued(): number {
    return this.behindGap.length;
  }

  /** Those behind the gap, ascending. */
  get behindGap(): PoolEntry[] {
    return [...this.byNonce].filter(([nonce]) => nonce > this.firstGap).map(([, entry]) => entry);
  }

  get bytes(): number {
    return sizeOf([...this.byNonce.values()]);
  }

  get cost(): bigint {
    return [...this.byNonce.values()].reduce((sum, { cost }) => sum + cost, 0n);
  }
}

const sizeOf = (entries: readonly PoolEntry[]) =>
  entries.reduce((sum, { transaction }) => sum + transaction.raw.length, 0);
const highest = (entries: readonly PoolEntry[]) =>
  entries.reduce<PoolEntry | undefined>(
    (best, one) => (best === undefined || one.transaction.nonce > best.transaction.nonce ? one : best),
    undefined,
  );

describe("one sender's queue", () => {
  it('knows its first gap, the transactions behind it and the total cost, after any changes', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const queue = new AccountQueue(0n);
        const model = new Model();
        for (const one of steps) {
          if (one.kind === 'put' && one.nonce >= model.base) {
            const added = entry(BigInt(one.nonce), BigInt(one.cost));
            queue.put(added);
            model.byNonce.set(one.nonce, added);
          } else if (one.kind === 'remove') {
            const known = model.byNonce.get(one.nonce);
            if (known !== undefined) queue.remove(known);
            queue.remove(entry(BigInt(one.nonce), 1n));
            model.byNonce.delete(one.nonce);
          } else if (one.kind === 'advance' && one.nonce > model.base) {
            const passed = [...model.byNonce].filter(([nonce]) => nonce < one.nonce);
            expect(new Set(queue.advance(BigInt(one.nonce)))).toEqual(
              new Set(passed.map(([, left]) => left)),
            );
            for (const [nonce] of passed) model.byNonce.delete(nonce);
            model.base = one.nonce;
          }
          expect(queue.nextNonce).toBe(BigInt(model.base));
          expect(queue.firstGap).toBe(BigInt(model.firstGap));
          expect(queue.queued).toBe(model.queued);
          expect(queue.cost).toBe(model.cost);
          expect([queue.bytes, queue.queuedBytes]).toEqual([model.bytes, sizeOf(model.behindGap)]);
          expect(queue.pendingBytes).toBe(model.bytes - sizeOf(model.behindGap));
          expect(queue.lastQueued).toBe(highest(model.behindGap));
          expect(queue.lastPending).toBe(model.byNonce.get(model.firstGap - 1));
          expect(queue.entries().map(({ transaction }) => Number(transaction.nonce))).toEqual(
            [...model.byNonce.keys()].sort((a, b) => a - b),
          );
        }
      }),
    );
  });
});

describe('the book of the pool', () => {
  const senders = [1, 2, 3].map((seed) => addressFromBytes(new Uint8Array(20).fill(seed)));
  const move = fc.record({ sender: fc.nat(2), step });

  it('has sums that match its content: transactions, bytes, those behind gaps and of unfunded senders', () => {
    fc.assert(
      fc.property(fc.array(move, { maxLength: 80 }), (moves) => {
        const book = new PoolBook();
        const bases = [0, 0, 0];
        for (const { sender: index, step: one } of moves) {
          const sender = senders[index] as (typeof senders)[number];
          const base = bases[index] as number;
          if (one.kind === 'put' && one.nonce >= base) {
            const before = book.queueOf(sender)?.at(BigInt(one.nonce));
            const added = entry(BigInt(one.nonce), BigInt(one.cost), sender);
            const standing = index === 2 ? STANDING.funded : STANDING.unfunded;
            expect(book.put(added, BigInt(base), standing)).toBe(before);
            expect(book.find(added.transaction.hash)).toBe(added);
            if (before !== undefined) expect(book.find(before.transaction.hash)).toBeUndefined();
          } else if (one.kind === 'remove') {
            const known = book.queueOf(sender)?.at(BigInt(one.nonce));
            if (known !== undefined) expect([book.remove(known), book.remove(known)]).toEqual([true, false]);
          } else if (one.kind === 'advance' && one.nonce > base) {
            book.advance(sender, BigInt(one.nonce));
            bases[index] = one.nonce;
          }
          const { pending, queued } = book.content();
          const all = [...pending.values(), ...queued.values()].flat();
          expect(book.size).toBe(all.length);
          expect(book.total.bytes).toBe(all.reduce((sum, { raw }) => sum + raw.length, 0));
          const waiting = [...queued.values()].flat();
          const bytesOf = (list: readonly SignedTransaction[]) =>
            list.reduce((sum, { raw }) => sum + raw.length, 0);
          expect(book.queued).toEqual({ count: waiting.length, bytes: bytesOf(waiting) });
          const unfunded = all.filter(({ sender: who }) => who !== senders[2]);
          expect(book.unfunded).toEqual({ count: unfunded.length, bytes: bytesOf(unfunded) });
          const largest = (of: ReadonlyMap<Address, readonly SignedTransaction[]>) => {
            const lists = [...of].filter(([who]) => who !== senders[2]);
            const chosen = lists.length > 0 ? lists : [...of];
            return chosen.length === 0 ? undefined : Math.max(...chosen.map(([, list]) => bytesOf(list)));
          };
          expect(book.largestQueued?.queuedBytes).toBe(largest(queued));
          expect(book.largestPending?.pendingBytes).toBe(largest(pending));
          for (const [who, list] of pending) {
            const first = bases[senders.indexOf(who)] as number;
            expect(list.map(({ nonce }) => Number(nonce))).toEqual(list.map((_, offset) => first + offset));
          }
        }
        expect([...book.senders()].every((who) => (book.queueOf(who)?.size ?? 0) > 0)).toBe(true);
      }),
    );
  });
});
