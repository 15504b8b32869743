import type { Address } from '@tetrad/types';
import type { KeyEntry, KeySource } from './key-entry.js';
import type { SigningKey } from './signing-key.js';

/** Outcome of loading one entry of a source. */
export interface KeyOutcome {
  readonly source: KeySource;
  readonly name: string;
  /** Fingerprint of the entry; undefined when it could not even be read. */
  readonly fingerprint: string | undefined;
  readonly caution: string | undefined;
  readonly key: SigningKey | undefined;
  readonly fault: string | undefined;
  /** Whether opening it again may go better with nothing changed. */
  readonly isTransient: boolean;
  /** A vault that did not give the key, to be asked again. No other entry is kept: it holds a password. */
  readonly askAgain: KeyEntry | undefined;
}

/** Outcomes by the identity of their entry. */
export type KeyTable = ReadonlyMap<string, KeyOutcome>;

/** A key that is not available, and why. */
export interface FailedKey {
  /** File or place that configures it. */
  readonly name: string;
  readonly reason: string;
}

/** What a load changed. */
export interface KeyDifference {
  /** In ascending order, as `removed`. */
  readonly added: readonly Address[];
  readonly removed: readonly Address[];
  /** All that are not available now, whether they were before or not. */
  readonly failed: readonly FailedKey[];
}

export function identityOf(source: KeySource, name: string): string {
  return `${source.id}\n${name}`;
}

/** Keys by address; of a key that several entries offer, the first. */
export function keysOf(table: KeyTable): ReadonlyMap<Address, SigningKey> {
  const keys = new Map<Address, SigningKey>();
  for (const { key } of table.values()) {
    if (key !== undefined && !keys.has(key.address)) keys.set(key.address, key);
  }
  return keys;
}

function failuresOf(table: KeyTable): readonly FailedKey[] {
  return [...table.values()].flatMap(({ name, fault }) =>
    fault === undefined ? [] : [{ name, reason: fault }],
  );
}

export function differenceOf(before: ReadonlyMap<Address, SigningKey>, after: KeyTable): KeyDifference {
  const keys = keysOf(after);
  return {
    added: [...keys.keys()].filter((address) => !before.has(address)).sort(),
    removed: [...before.keys()].filter((address) => !keys.has(address)).sort(),
    failed: failuresOf(after),
  };
}

/** The failures that were not there before, or for another reason. */
export function newFailures(before: KeyTable, after: KeyTable): readonly FailedKey[] {
  return [...after].flatMap(([identity, { name, fault }]) =>
    fault === undefined || fault === before.get(identity)?.fault ? [] : [{ name, reason: fault }],
  );
}

/** Warnings about keys that are new, or whose entry has changed. */
export function newCautions(before: KeyTable, after: KeyTable): readonly FailedKey[] {
  return [...after].flatMap(([identity, { name, fingerprint, caution, key }]) => {
    const isNew = key !== undefined && before.get(identity)?.fingerprint !== fingerprint;
    return isNew && caution !== undefined ? [{ name, reason: caution }] : [];
  });
}
