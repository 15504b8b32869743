import type { PtmKey } from '@tetrad/types';
import { KeyHolders, type KeyHolder } from './key-holders.js';
import type { PartyInfo } from './party-info.js';

/**
 * Most managers that are remembered besides the configured ones. Fewer of them may be ones that others listed, so that
 * there is room for those that announce themselves.
 */
const MAX_PARTIES = 1_000;
const MAX_LISTED = 500;

/** A manager that can be reached. */
export interface Party {
  readonly url: string;
  /** API versions that it announced, as `4.0`. */
  readonly versions: ReadonlySet<string>;
}

/** Which managers there are, and which keys each of them holds. */
export class PartyTable {
  private readonly holders: KeyHolders;
  private readonly parties = new Map<string, ReadonlySet<string>>();
  private readonly configured: ReadonlySet<string>;

  /**
   * @param own.url - our own
   * @param own.keys - our own
   * @param own.peers - URLs that are configured and stay known
   */
  constructor(
    private readonly own: {
      readonly url: string;
      readonly keys: readonly PtmKey[];
      readonly peers: readonly string[];
    },
  ) {
    this.configured = new Set(own.peers);
    this.holders = new KeyHolders((url) => this.configured.has(url));
    for (const url of own.peers) this.parties.set(url, new Set());
  }

  isOwn(url: string): boolean {
    return url === this.own.url;
  }

  /** Whether the operator named the URL. */
  isConfigured(url: string): boolean {
    return this.configured.has(url);
  }

  /** The manager to which payloads for the key are sent; undefined without one. */
  find(key: PtmKey): Party | undefined {
    const holder = this.holders.get(key);
    if (holder?.active !== true) return undefined;
    return { url: holder.url, versions: this.parties.get(holder.url) ?? new Set() };
  }

  /** Where the key was proved to be last, whether or not it can be reached there. */
  holderOf(key: PtmKey): KeyHolder | undefined {
    return this.holders.get(key);
  }

  /** Keys for which payloads are sent to the manager. */
  keysAt(url: string): PtmKey[] {
    return this.holders.active.flatMap(([key, holder]) => (holder.url === url ? [key] : []));
  }

  /** API versions of a manager that is known. */
  versionsAt(url: string): ReadonlySet<string> | undefined {
    return this.parties.get(url);
  }

  /** A key of each manager that was proved to hold one, of several one that payloads are sent to. */
  get keyOfEach(): ReadonlyMap<string, PtmKey> {
    return this.holders.keyOfEach;
  }

  /** URLs of the other managers. */
  get urlsOfParties(): string[] {
    return [...this.parties.keys()].filter((url) => url !== this.own.url);
  }

  /** URLs of the other managers that were proved to hold a key, also of those that cannot be reached now. */
  get urlsOfHolders(): string[] {
    return [...this.holders.urls].filter((url) => url !== this.own.url);
  }

  /** What we tell peers: our own keys, and every manager that we know. */
  toPartyInfo(): PartyInfo {
    const { url, keys } = this.own;
    return { url, keys: keys.map((key) => ({ key, url })), parties: [url, ...this.urlsOfParties] };
  }

  /** Every key and where it is. */
  get entries(): { readonly key: PtmKey; readonly url: string }[] {
    const others = this.holders.active.map(([key, { url }]) => ({ key, url }));
    return [...this.own.keys.map((key) => ({ key, url: this.own.url })), ...others];
  }

  /**
   * Records a manager that announced itself.
   * @returns whether it is known now; false without room, and for ourselves
   */
  setParty(url: string, versions: ReadonlySet<string>): boolean {
    if (url === this.own.url) return false;
    if (!this.hasRoom(url, MAX_PARTIES)) return false;
    this.parties.set(url, versions);
    return true;
  }

  /**
   * Records the holder of a key.
   * @param announcer - remote address of who announced the key there; absent where it was not announced now
   * @returns whether there was room for it, and the key that was forgotten for it
   */
  setHolder(key: PtmKey, holder: KeyHolder, announcer?: string): ReturnType<KeyHolders['set']> {
    if (this.own.keys.includes(key) || this.isOwn(holder.url)) return { fits: true };
    return this.holders.set(key, holder, announcer);
  }

  /** The key is announced again where it is. */
  hearOf(key: PtmKey): void {
    this.holders.hearOf(key);
  }

  /** The manager no longer holds these keys. */
  retireKeys(url: string, keys: ReadonlySet<PtmKey>): void {
    this.holders.retire(url, keys);
  }

  /**
   * Records managers that another one listed.
   * @returns whether there was room for all
   */
  addParties(urls: readonly string[]): boolean {
    let fit = true;
    for (const url of urls) {
      if (this.parties.has(url) || url === this.own.url) continue;
      if (this.hasRoom(url, MAX_LISTED)) this.parties.set(url, new Set());
      else fit = false;
    }
    return fit;
  }

  /** Forgets a manager that others listed, if it does not answer and no key is known to be there. */
  forgetUnlessKeys(url: string): void {
    if (this.keysAt(url).length === 0) this.forget(url);
  }

  /** Forgets a manager that does not answer, and its keys, until it announces itself; a configured one is contacted again. */
  forget(url: string): void {
    this.holders.retire(url);
    if (!this.configured.has(url)) this.parties.delete(url);
  }

  private hasRoom(url: string, most: number): boolean {
    return this.parties.has(url) || this.parties.size - this.configured.size < most;
  }
}
