import type { PtmKey } from '@tetrad/types';
import type { PartyInfo } from './party-info.js';

/** Most managers and keys that are remembered; of the managers fewer that others told of, so that there is room for those that come. */
const MAX_PARTIES = 1_000;
const MAX_TOLD = 500;
const MAX_KEYS = 10_000;

/** A manager that can be reached. */
export interface Party {
  readonly url: string;
  /** API versions that it announced, as `4.0`. */
  readonly versions: ReadonlySet<string>;
}

/** Which managers there are, and which keys each of them holds. */
export class PartyTable {
  private readonly urls = new Map<PtmKey, string>();
  private readonly parties = new Map<string, ReadonlySet<string>>();

  /** In: url — our own; keys — our own; peers — URLs that are configured and stay known */
  constructor(
    private readonly own: {
      readonly url: string;
      readonly keys: readonly PtmKey[];
      readonly peers: readonly string[];
    },
  ) {
    for (const url of own.peers) this.addParty(url);
  }

  /** The manager that holds the key; nothing when none is known to. */
  find(key: PtmKey): Party | undefined {
    const url = this.urls.get(key);
    return url === undefined ? undefined : { url, versions: this.parties.get(url) ?? new Set() };
  }

  /** Keys that the manager was found to hold. */
  keysAt(url: string): PtmKey[] {
    return [...this.urls].flatMap(([key, at]) => (at === url ? [key] : []));
  }

  /** API versions of a manager that is known. */
  versionsAt(url: string): ReadonlySet<string> | undefined {
    return this.parties.get(url);
  }

  /** URLs of the other managers. */
  get urlsOfParties(): string[] {
    return [...this.parties.keys()].filter((url) => url !== this.own.url);
  }

  /** What we tell peers: our own keys, and every manager that we know. */
  toPartyInfo(): PartyInfo {
    const { url, keys } = this.own;
    return { url, keys: keys.map((key) => ({ key, url })), parties: [url, ...this.urlsOfParties] };
  }

  /** Every key and where it is. */
  get entries(): { readonly key: PtmKey; readonly url: string }[] {
    const others = [...this.urls].map(([key, url]) => ({ key, url }));
    return [...this.own.keys.map((key) => ({ key, url: this.own.url })), ...others];
  }

  /** Takes down the keys that a manager was found to hold; it no longer holds those it leaves out. */
  setKeys(url: string, keys: readonly PtmKey[], versions: ReadonlySet<string>): void {
    if (url === this.own.url) return;
    this.addParty(url, versions);
    if (!this.parties.has(url)) return;
    this.dropKeys(url);
    for (const key of keys) {
      if (this.own.keys.includes(key) || this.urls.size >= MAX_KEYS) continue;
      this.urls.set(key, url);
    }
  }

  /** Remembers managers that another one told of. */
  addParties(urls: readonly string[]): void {
    for (const url of urls) if (this.parties.size < MAX_TOLD) this.addParty(url);
  }

  /** Forgets a manager that others told of, if it does not answer and no key is known to be there. */
  forgetUnlessKeys(url: string): void {
    if (![...this.urls.values()].includes(url)) this.forget(url);
  }

  /** Forgets a manager that does not answer, and its keys, until it tells of itself; a configured one is asked again. */
  forget(url: string): void {
    this.dropKeys(url);
    if (!this.own.peers.includes(url)) this.parties.delete(url);
  }

  private addParty(url: string, versions?: ReadonlySet<string>): void {
    if (!this.parties.has(url) && this.parties.size >= MAX_PARTIES) return;
    if (versions !== undefined || !this.parties.has(url)) this.parties.set(url, versions ?? new Set());
  }

  private dropKeys(url: string): void {
    for (const [key, at] of this.urls) if (at === url) this.urls.delete(key);
  }
}
