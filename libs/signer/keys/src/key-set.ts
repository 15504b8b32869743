import type { Address } from '@tetrad/types';
import {
  differenceOf,
  keysOf,
  type FailedKey,
  type KeyDifference,
  type KeyOutcome,
  type KeyTable,
} from './key-table.js';
import type { SigningKey } from './signing-key.js';

/** The keys that are available at this moment, and what became of those that are not. */
export class KeySet {
  private outcomes = new Map<string, KeyOutcome>();
  private keys = new Map<Address, SigningKey>();
  private sorted: readonly Address[] | undefined;

  get table(): KeyTable {
    return this.outcomes;
  }

  /** In ascending order. */
  list(): readonly Address[] {
    this.sorted ??= [...this.keys.keys()].sort();
    return this.sorted;
  }

  find(address: Address): SigningKey | undefined {
    return this.keys.get(address);
  }

  /** Keys that cannot sign at present: those that are held, and those that a service or vault has not given. */
  unavailable(): readonly FailedKey[] {
    const held = [...this.keys.values()].flatMap(({ address, unavailable }) =>
      unavailable === undefined ? [] : [{ name: address, reason: unavailable.reason }],
    );
    const missing = [...this.outcomes.values()].flatMap(({ name, fault, askAgain }) =>
      askAgain === undefined || fault === undefined ? [] : [{ name, reason: fault }],
    );
    return [...held, ...missing];
  }

  /** What still signs goes on. */
  close(): void {
    for (const key of this.keys.values()) key.close?.();
  }

  /** Takes one outcome in; its key is available from now on. */
  publish(identity: string, outcome: KeyOutcome): void {
    this.outcomes.set(identity, outcome);
    if (outcome.key === undefined || this.keys.has(outcome.key.address)) return;
    this.keys.set(outcome.key.address, outcome.key);
    this.sorted = undefined;
  }

  /** Replaces the whole table at once. */
  swap(table: KeyTable): KeyDifference {
    const difference = differenceOf(this.keys, table);
    const kept = new Set([...table.values()].map(({ key }) => key));
    for (const { key } of this.outcomes.values()) if (key !== undefined && !kept.has(key)) key.close?.();
    this.outcomes = new Map(table);
    this.keys = new Map(keysOf(table));
    this.sorted = undefined;
    return difference;
  }
}
