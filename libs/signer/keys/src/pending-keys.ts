import type { Address } from '@tetrad/types';
import type { Scan } from './key-entry.js';
import { identityOf } from './key-table.js';

/** Addresses that are waited for at a time; each is looked at whenever an entry has an outcome. */
const MAX_WAITED_FOR = 1_000;

/** Those who wait for the key of one address. */
interface Waiters {
  readonly decided: Promise<void>;
  readonly done: () => void;
}

/**
 * The entries of a load without an outcome yet. A signing request for one of them waits for it, and it is opened before
 * those without requests.
 */
export class PendingKeys {
  /** Entries that are not begun, in the order of the scan. */
  private readonly left: Scan[number][];
  /** Identity of an entry without an outcome → the address that it says its key has; undefined when it says none. */
  private readonly pending: Map<string, Address | undefined>;
  private readonly waiters = new Map<Address, Waiters>();

  constructor(scan: Scan) {
    this.left = [...scan];
    this.pending = new Map(
      scan.map(([source, entry]) => [
        identityOf(source, entry.name),
        'open' in entry ? entry.address : undefined,
      ]),
    );
  }

  /** Takes the next entry to open of those that the test admits: one with waiting requests, else the first. */
  take(isWanted: (one: Scan[number]) => boolean): Scan[number] | undefined {
    const isAskedFor = ([, entry]: Scan[number]) =>
      'open' in entry && entry.address !== undefined && this.waiters.has(entry.address);
    let at = this.waiters.size === 0 ? -1 : this.left.findIndex((one) => isWanted(one) && isAskedFor(one));
    if (at === -1) at = this.left.findIndex(isWanted);
    return at === -1 ? undefined : this.left.splice(at, 1)[0];
  }

  /** Whether one of them may be the key of the address. */
  mayHold(address: Address): boolean {
    for (const stated of this.pending.values()) if (stated === undefined || stated === address) return true;
    return false;
  }

  /** Resolves when none of them may be the key of the address any more, or the load is over; undefined when too many wait. */
  whenDecided(address: Address): Promise<void> | undefined {
    const known = this.waiters.get(address);
    if (known !== undefined) return known.decided;
    if (this.waiters.size === MAX_WAITED_FOR) return undefined;
    let done = (): void => undefined;
    const decided = new Promise<void>((resolve) => (done = resolve));
    this.waiters.set(address, { decided, done });
    return decided;
  }

  /**
   * One has an outcome.
   * @param isThere - whether the key of an address can be used now
   */
  settle(identity: string, isThere: (address: Address) => boolean): void {
    this.pending.delete(identity);
    this.release((address) => isThere(address) || !this.mayHold(address));
  }

  /** The load is over, whatever became of it. */
  end(): void {
    this.pending.clear();
    this.release(() => true);
  }

  private release(isDecided: (address: Address) => boolean): void {
    for (const [address, { done }] of this.waiters) {
      if (!isDecided(address)) continue;
      this.waiters.delete(address);
      done();
    }
  }
}
