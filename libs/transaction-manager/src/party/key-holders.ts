import { hostKey, type PtmKey } from '@tetrad/types';

/** Keys of managers that are not configured; those of configured ones have room besides. */
const MAX_KEYS = 10_000;

/** Those of them that one host announced, by whatever names and paths, so that none fills the table alone. */
const MAX_KEYS_OF_HOST = 1_000;

/**
 * A key that was not announced for so long gives way where the table is full. A manager that is down for a repair is back before, so
 * that strangers cannot have its key, and the mark that is kept for it, forgotten meanwhile. Units: ms
 */
const IDLE_MS = 24 * 3_600_000;

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

interface Entry {
  readonly holder: KeyHolder;
  /** Host that announced the key first, to which it is charged; undefined for one that was restored, or is configured. */
  readonly chargedTo: string | undefined;
  /** When it was announced last. Of one that was restored: the start of the process. */
  readonly heardMs: number;
}

/** Whether there was room for a key, and the key that was forgotten for it. */
interface Room {
  readonly fits: boolean;
  readonly forgotten?: PtmKey;
}

/** Which key is where. */
export class KeyHolders {
  private readonly entries = new Map<PtmKey, Entry>();
  private readonly charges = new Map<string, number>();
  private strangers = 0;

  /**
   * @param isConfigured - whether the operator named the URL
   * @param now - units: ms
   */
  constructor(
    private readonly isConfigured: (url: string) => boolean,
    private readonly now: () => number = () => performance.now(),
  ) {}

  get(key: PtmKey): KeyHolder | undefined {
    return this.entries.get(key)?.holder;
  }

  /** Where keys were proved to be last, whether or not payloads are sent there. */
  get urls(): ReadonlySet<string> {
    return new Set(this.all.map(([, { url }]) => url));
  }

  /** A key that was proved at each URL, of several one to which payloads are sent. */
  get keyOfEach(): ReadonlyMap<string, PtmKey> {
    const byUrl = ([key, { url }]: [PtmKey, KeyHolder]) => [url, key] as const;
    return new Map([...this.all.map(byUrl), ...this.active.map(byUrl)]);
  }

  /** Keys to which payloads are sent, and where. */
  get active(): [PtmKey, KeyHolder][] {
    return this.all.filter(([, { active }]) => active);
  }

  /** @param announcer - remote address of who announced the key there; absent where it was not announced now */
  set(key: PtmKey, holder: KeyHolder, announcer?: string): Room {
    const before = this.entries.get(key);
    const host = announcer === undefined ? undefined : hostKey(announcer);
    const isStranger = this.isStranger({ holder });
    const isNew = isStranger && (before === undefined || !this.isStranger(before));
    const room: Room = isNew ? this.roomFor(host) : { fits: true };
    if (!room.fits) return room;
    // A key that moves stays charged to the host that brought it, or two hosts would bring as many as they like by turns.
    const entry = {
      holder,
      chargedTo: isStranger ? (before?.chargedTo ?? host) : undefined,
      heardMs: this.now(),
    };
    if (before !== undefined) this.count(before, -1);
    this.entries.set(key, entry);
    this.count(entry, 1);
    return room;
  }

  /** The key is announced again where it is. */
  hearOf(key: PtmKey): void {
    const entry = this.entries.get(key);
    if (entry !== undefined) this.entries.set(key, { ...entry, heardMs: this.now() });
  }

  /** No payloads are sent there any more; in: keys — those alone, or all that are there */
  retire(url: string, keys?: ReadonlySet<PtmKey>): void {
    for (const [key, entry] of this.entries)
      if (entry.holder.url === url && (keys?.has(key) ?? true))
        this.entries.set(key, { ...entry, holder: { ...entry.holder, active: false } });
  }

  private get all(): [PtmKey, KeyHolder][] {
    return [...this.entries].map(([key, { holder }]) => [key, holder]);
  }

  private isStranger({ holder }: Pick<Entry, 'holder'>): boolean {
    return !this.isConfigured(holder.url);
  }

  private count(entry: Entry, by: 1 | -1): void {
    if (!this.isStranger(entry)) return;
    this.strangers += by;
    const { chargedTo } = entry;
    if (chargedTo === undefined) return;
    const charged = (this.charges.get(chargedTo) ?? 0) + by;
    if (charged === 0) this.charges.delete(chargedTo);
    else this.charges.set(chargedTo, charged);
  }

  /** @param host - which brings another stranger's key */
  private roomFor(host: string | undefined): Room {
    if (host !== undefined && (this.charges.get(host) ?? 0) >= MAX_KEYS_OF_HOST) return { fits: false };
    if (this.strangers < MAX_KEYS) return { fits: true };
    const forgotten = this.leastUsed();
    if (forgotten === undefined) return { fits: false };
    this.forget(...forgotten);
    return { fits: true, forgotten: forgotten[0] };
  }

  /**
   * A stranger's key that may be forgotten: one that is not in use and whose proof may have been relayed, or else the one that was
   * not announced for the longest time.
   */
  private leastUsed(): [PtmKey, Entry] | undefined {
    const idleSince = this.now() - IDLE_MS;
    let oldest: [PtmKey, Entry] | undefined;
    for (const [key, entry] of this.entries) {
      const { holder, heardMs } = entry;
      if (!this.isStranger(entry)) continue;
      if (!holder.active && !holder.bound) return [key, entry];
      if (heardMs <= idleSince && heardMs < (oldest?.[1].heardMs ?? Infinity)) oldest = [key, entry];
    }
    return oldest;
  }

  private forget(key: PtmKey, entry: Entry): void {
    this.entries.delete(key);
    this.count(entry, -1);
  }
}
