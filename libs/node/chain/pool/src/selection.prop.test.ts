import { describe, expect, it } from '@jest/globals';
import { addressFromBytes, hashFromBytes, type Address, type SignedTransaction } from '@tetrad/types';
import fc from 'fast-check';
import { comesBefore, type PoolEntry } from './pool-entry.js';
import { Selection } from './selection.js';

const senders = [1, 2, 3, 4].map((seed) => addressFromBytes(new Uint8Array(20).fill(seed)));

/** A pool whose senders all start at nonce 0. */
class Entries {
  private readonly bySender = new Map<Address, Map<bigint, PoolEntry>>();
  private made = 0;

  add(sender: Address, nonce: number, price: number): PoolEntry {
    this.made += 1;
    const hash = hashFromBytes(Buffer.from(this.made.toString(16).padStart(64, '0'), 'hex'));
    const transaction = { sender, nonce: BigInt(nonce), hash } as unknown as SignedTransaction;
    const state = {
      durable: true,
      remote: false,
      replaced: undefined,
      setAside: false,
      overtaken: false,
      evicted: false,
    };
    const entry = {
      transaction,
      sequence: this.made,
      enteredMs: 0,
      price: BigInt(price),
      cost: 0n,
      ...state,
    };
    const own = this.bySender.get(sender) ?? new Map<bigint, PoolEntry>();
    this.bySender.set(sender, own.set(BigInt(nonce), entry));
    return entry;
  }

  minableAt(sender: Address, nonce: bigint): PoolEntry | undefined {
    return this.bySender.get(sender)?.get(nonce);
  }

  nextNonce(): bigint {
    return 0n;
  }

  /** The order by its definition: of all senders' next ones the best, again and again. */
  expectedOrder(): PoolEntry[] {
    const cursors = new Map(senders.map((sender) => [sender, 0n]));
    const order: PoolEntry[] = [];
    for (;;) {
      const next = senders.flatMap((sender) => this.minableAt(sender, cursors.get(sender) ?? 0n) ?? []);
      const [best] = next.sort((a, b) => (comesBefore(a, b) ? -1 : 1));
      if (best === undefined) return order;
      order.push(best);
      cursors.set(best.transaction.sender, best.transaction.nonce + 1n);
    }
  }
}

function take(selection: Selection): PoolEntry[] {
  const taken: PoolEntry[] = [];
  for (let entry = selection.next(); entry !== undefined; entry = selection.next()) {
    taken.push(entry);
    selection.accept(entry);
  }
  return taken;
}

/** The nonces of each sender, one after the other. */
function counter(): (sender: number) => number {
  const counts = new Map<number, number>();
  return (sender) => {
    const nonce = counts.get(sender) ?? 0;
    counts.set(sender, nonce + 1);
    return nonce;
  };
}

const wanted = fc.array(fc.record({ sender: fc.nat(3), price: fc.nat(5) }), { maxLength: 40 });

describe('a selection', () => {
  it("takes the best of the senders' next transactions until all are taken", () => {
    fc.assert(
      fc.property(wanted, (transactions) => {
        const entries = new Entries();
        const nextNonce = counter();
        for (const { sender, price } of transactions) {
          entries.add(senders[sender] as Address, nextNonce(sender), price);
        }
        const selection = new Selection(entries);
        for (const sender of senders) selection.offer(sender);
        expect(take(selection)).toEqual(entries.expectedOrder());
        expect(selection.isOutdated).toBe(false);
      }),
    );
  });

  it('takes transactions that become durable while it is used, each once', () => {
    fc.assert(
      fc.property(wanted, fc.array(fc.boolean(), { maxLength: 40 }), (transactions, drains) => {
        const entries = new Entries();
        const selection = new Selection(entries);
        const nextNonce = counter();
        const taken: PoolEntry[] = [];
        transactions.forEach(({ sender, price }, index) => {
          const entry = entries.add(senders[sender] as Address, nextNonce(sender), price);
          selection.note(entry.transaction);
          if (drains[index] === true) taken.push(...take(selection));
        });
        taken.push(...take(selection));
        expect(taken).toHaveLength(transactions.length);
        for (const sender of senders) {
          const own = taken.filter(({ transaction }) => transaction.sender === sender);
          expect(own.map(({ transaction }) => Number(transaction.nonce))).toEqual(
            own.map((_, nonce) => nonce),
          );
        }
      }),
    );
  });

  it('returns the replacement of a transaction that it has not returned yet', () => {
    const entries = new Entries();
    const [sender] = senders as [Address];
    entries.add(sender, 0, 1);
    const selection = new Selection(entries);
    selection.offer(sender);
    const replacement = entries.add(sender, 0, 2);
    selection.note(replacement.transaction);
    expect(take(selection)).toEqual([replacement]);
    expect(selection.isOutdated).toBe(false);
  });

  it('is outdated once a transaction that it returned is replaced, also while that one runs', () => {
    const entries = new Entries();
    const [sender, other] = senders as [Address, Address];
    entries.add(sender, 0, 1);
    entries.add(other, 0, 1);
    const [late, early] = [new Selection(entries), new Selection(entries)];
    for (const one of [late, early]) one.offer(sender);
    expect(take(late)).toHaveLength(1);
    const running = early.next() as PoolEntry;
    const replacement = entries.add(sender, 0, 2);
    for (const one of [late, early]) one.note(replacement.transaction);
    early.accept(running);
    expect([late.isOutdated, early.isOutdated]).toEqual([true, true]);
  });
});
