import type { Address } from '@tetrad/types';
import { CROWDED, PRIVATE_ONES, SCOPE, addressKey, type PartyScope, type Scope } from './address-key.js';
import type { Entry } from './entries.js';
import { numberOfPlace } from './place.js';

/** Addresses of one transaction in one scope that are indexed. */
const MAX_PARTIES = 1_000;

/** An entry of an address. */
export interface IndexedEntry extends Entry {
  readonly scope: Scope;
  /** Key of the address. */
  readonly key: bigint;
}

/**
 * Collects the entries of a block. A transaction that names more than `MAX_PARTIES` addresses is `crowded`: those that were
 * noted first are indexed. A transaction may otherwise write an entry for every 2,000 gas.
 */
export class BlockEntries {
  /** Scope and index → key → roles. */
  private readonly noted = new Map<string, Map<bigint, number>>();
  private readonly crowded = new Set<number>();
  private readonly privateOnes = new Set<number>();
  private readonly keys = new Map<Address, bigint>();

  constructor(
    private readonly blockNumber: number,
    private readonly hashKey: Uint8Array,
  ) {}

  note(scope: PartyScope, index: number, { address, role }: { address: Address; role: number }): void {
    const name = `${scope} ${index}`;
    let parties = this.noted.get(name);
    if (parties === undefined) this.noted.set(name, (parties = new Map()));
    const key = this.keyOf(address);
    const roles = parties.get(key);
    if (roles === undefined && parties.size >= MAX_PARTIES) this.crowded.add(index);
    else parties.set(key, (roles ?? 0) | role);
  }

  /** Lists the transaction among those that are private, or the marker of one. */
  notePrivate(index: number): void {
    this.privateOnes.add(index);
  }

  /** In the order of the chain. */
  list(): IndexedEntry[] {
    const entries: IndexedEntry[] = [];
    for (const [name, parties] of this.noted) {
      const [scope, index] = name.split(' ').map(Number) as [Scope, number];
      const place = this.placeOf(index);
      for (const [key, roles] of parties) entries.push({ scope, key, place, roles });
    }
    for (const index of this.crowded)
      entries.push({ scope: SCOPE.crowded, key: CROWDED, place: this.placeOf(index), roles: 0 });
    for (const index of this.privateOnes)
      entries.push({ scope: SCOPE.listed, key: PRIVATE_ONES, place: this.placeOf(index), roles: 0 });
    return entries.sort((one, other) => one.place - other.place);
  }

  private placeOf(index: number): number {
    return numberOfPlace({ blockNumber: this.blockNumber, index });
  }

  private keyOf(address: Address): bigint {
    let key = this.keys.get(address);
    if (key === undefined) this.keys.set(address, (key = addressKey(this.hashKey, address)));
    return key;
  }
}
