import { isIP } from 'node:net';
import { hostKey } from '@tetrad/types';
import { isSameHost } from './announcer.js';
import { lookUpInSystem, type LookUp } from './look-up.js';

/** How long the addresses of names are used before they are looked up again, in milliseconds. */
const FRESH_MS = 30_000;

/**
 * The hosts of the configured managers: their connections have room besides those of strangers, and requests are served from them
 * alone where a whitelist is wanted.
 *
 * Names are looked up one after the other, once for all requests that wait, and at most every 30 s: a stranger must not make
 * this process look up more. The last addresses of a name stay while it cannot be looked up.
 */
export class PeerHosts {
  private readonly addresses = new Map<string, readonly string[]>();
  private readonly names: readonly string[];
  private refreshing: Promise<void> | undefined;
  private freshUntilMs = -Infinity;

  /**
   * @param urls of the configured managers
   * @param options where addresses and the time, in milliseconds, come from
   */
  constructor(
    urls: readonly string[],
    private readonly options: { readonly lookUp?: LookUp; readonly now?: () => number } = {},
  ) {
    const hosts = urls.map((url) => new URL(url).hostname.replace(/^\[(.*)\]$/, '$1'));
    for (const host of hosts) if (isIP(host) !== 0) this.addresses.set(host, [host]);
    this.names = [...new Set(hosts.filter((host) => isIP(host) === 0))];
  }

  /**
   * Whether a request is of one of the managers.
   *
   * @param from remote address of its connection
   */
  async admits(from: string): Promise<boolean> {
    const refreshed = this.isStale() ? this.refresh() : undefined;
    if (this.has(from)) return true;
    await refreshed;
    return this.has(from);
  }

  /**
   * Whether one of the managers was there when its name was looked up last. Names are looked up again where that is due, for those
   * that ask later.
   *
   * @param key of an address, as `hostKey` returns it
   */
  includes(key: string): boolean {
    if (this.isStale()) void this.refresh();
    return [...this.addresses.values()].some((own) => own.some((address) => hostKey(address) === key));
  }

  private has(from: string): boolean {
    return [...this.addresses.values()].some((own) => own.some((address) => isSameHost(address, from)));
  }

  private isStale(): boolean {
    return this.names.length > 0 && this.now() >= this.freshUntilMs;
  }

  private now(): number {
    return (this.options.now ?? (() => performance.now()))();
  }

  private refresh(): Promise<void> {
    this.refreshing ??= this.lookUpAll().finally(() => (this.refreshing = undefined));
    return this.refreshing;
  }

  private async lookUpAll(): Promise<void> {
    const { lookUp = lookUpInSystem } = this.options;
    for (const name of this.names) {
      const found = await lookUp(name).catch(() => undefined);
      if (found !== undefined) this.addresses.set(name, found);
    }
    this.freshUntilMs = this.now() + FRESH_MS;
  }
}
