import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { isSameHost } from './announcer.js';

/** How long the addresses of names are used before they are looked up again, in milliseconds. */
const FRESH_MS = 30_000;

/**
 * Addresses of a host name.
 * @throws when it cannot be looked up
 */
export type LookUp = (name: string) => Promise<readonly string[]>;

const lookUpInDns: LookUp = async (name) => (await lookup(name, { all: true })).map(({ address }) => address);

/**
 * The hosts of the configured managers, from which alone requests are served where a whitelist is wanted.
 *
 * Names are looked up one after the other, once for all requests that wait, and at most every 30 s: a stranger must not make
 * this process look up more. The last addresses of a name stay while it cannot be looked up.
 */
export class PeerWhitelist {
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
    const isStale = this.names.length > 0 && this.now() >= this.freshUntilMs;
    const refreshed = isStale ? this.refresh() : undefined;
    if (this.has(from)) return true;
    await refreshed;
    return this.has(from);
  }

  private has(from: string): boolean {
    return [...this.addresses.values()].some((own) => own.some((address) => isSameHost(address, from)));
  }

  private now(): number {
    return (this.options.now ?? (() => performance.now()))();
  }

  private refresh(): Promise<void> {
    this.refreshing ??= this.lookUpAll().finally(() => (this.refreshing = undefined));
    return this.refreshing;
  }

  private async lookUpAll(): Promise<void> {
    const { lookUp = lookUpInDns } = this.options;
    for (const name of this.names) {
      const found = await lookUp(name).catch(() => undefined);
      if (found !== undefined) this.addresses.set(name, found);
    }
    this.freshUntilMs = this.now() + FRESH_MS;
  }
}
