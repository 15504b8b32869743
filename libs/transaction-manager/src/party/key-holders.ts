import type { PtmKey } from '@tetrad/types';

/** Keys of managers that are not configured; those of configured ones have room besides. */
const MAX_KEYS = 10_000;

/** Where a key was proved to be. */
export interface KeyHolder {
  readonly url: string;
  /** Whether the proof named the URL (docs/adr/0154). */
  readonly bound: boolean;
  /**
   * Whether payloads for the key are sent there. They are not when the manager could not be reached, until it announces
   * itself again; but claims of the key are checked against it meanwhile.
   */
  readonly active: boolean;
}

/** Which key is where. */
export class KeyHolders {
  private readonly holders = new Map<PtmKey, KeyHolder>();
  private strangers = 0;

  /** @param isConfigured - whether the operator named the URL */
  constructor(private readonly isConfigured: (url: string) => boolean) {}

  get(key: PtmKey): KeyHolder | undefined {
    return this.holders.get(key);
  }

  /** Where keys were proved to be last, whether or not payloads are sent there. */
  get urls(): ReadonlySet<string> {
    return new Set([...this.holders.values()].map(({ url }) => url));
  }

  /** A key that was proved at each URL, of several one to which payloads are sent. */
  get keyOfEach(): ReadonlyMap<string, PtmKey> {
    const retired = [...this.holders].map(([key, { url }]) => [url, key] as const);
    return new Map([...retired, ...this.active.map(([key, { url }]) => [url, key] as const)]);
  }

  /** Keys to which payloads are sent, and where. */
  get active(): [PtmKey, KeyHolder][] {
    return [...this.holders].filter(([, { active }]) => active);
  }

  /** @returns whether there was room, and the key that was forgotten for it */
  set(key: PtmKey, holder: KeyHolder): { readonly fits: boolean; readonly forgotten?: PtmKey } {
    const before = this.holders.get(key);
    const wasStranger = before !== undefined && !this.isConfigured(before.url);
    const isStranger = !this.isConfigured(holder.url);
    const isFull = isStranger && !wasStranger && this.strangers >= MAX_KEYS;
    const forgotten = isFull ? this.makeRoom() : undefined;
    if (isFull && forgotten === undefined) return { fits: false };
    this.strangers += Number(isStranger) - Number(wasStranger);
    this.holders.set(key, holder);
    return { fits: true, ...(forgotten === undefined ? {} : { forgotten }) };
  }

  /** No payloads are sent there any more; in: keys — those alone, or all that are there */
  retire(url: string, keys?: ReadonlySet<PtmKey>): void {
    for (const [key, holder] of this.holders)
      if (holder.url === url && (keys?.has(key) ?? true)) this.holders.set(key, { ...holder, active: false });
  }

  /** Forgets a stranger's key that is not in use, and whose proof may have been relayed. */
  private makeRoom(): PtmKey | undefined {
    for (const [key, { url, bound, active }] of this.holders) {
      if (active || bound || this.isConfigured(url)) continue;
      this.holders.delete(key);
      this.strangers -= 1;
      return key;
    }
    return undefined;
  }
}
