import { Turns, hostKey } from '@tetrad/types';
import { ManagerError } from '../manager-error.js';
import { isSameHost } from '../party/announcer.js';

/** A resend of everything that a manager asked for. */
export interface Resend {
  /** Of the key and how its payloads are sent: what is asked for under one name is sent by one run. */
  readonly name: string;
  /** Of the manager that gets it. */
  readonly url: string;
  /** Most payloads that are sent together. */
  readonly batchSize: number;
  /** @returns how many payloads there were */
  readonly send: (batchSize: number) => Promise<number>;
}

export interface ResendPlacesOptions {
  /** Whether the operator named the URL. */
  readonly isConfigured: (url: string) => boolean;
  /** Places in all, each of which sends to one receiver. */
  readonly most?: number;
  /** Of them, those that managers which are not configured may have. */
  readonly strangers?: number;
}

/** Of strangers half, so that configured managers recover whatever strangers ask for. */
const MOST = 16;
const STRANGERS = 8;

/** A run that has not begun, for all who ask for it until then. */
interface Waiting {
  batchSize: number;
  readonly sent: Promise<number>;
}

interface Place {
  readonly receiver: string;
  readonly isConfigured: boolean;
  readonly turns: Turns;
  readonly waiting: Map<string, Waiting>;
  runs: number;
}

/**
 * Where resends are under way: a receiver that does not answer, or that others ask for again and again, delays only what is sent to
 * it. A configured manager is one receiver, and all others of one host are one, since a stranger has as many URLs as it likes.
 *
 * The runs of a receiver follow one another. Who asks while a run is under way gets the next one, and not that one: a manager
 * may have lost what it was sent already. All who ask before the next one begins share it, so that no more than one waits for
 * a name, however often it is asked for.
 */
export class ResendPlaces {
  private readonly places = new Map<string, Place>();

  constructor(private readonly options: ResendPlacesOptions) {}

  /**
   * Sends, or has the run that waits send, which takes the smallest batches that it was asked for.
   * @returns how many payloads there were
   * @throws ManagerError 503 when no place is free; as `send`
   */
  async run(resend: Resend): Promise<number> {
    const place = this.placeOf(resend.url);
    const same = place.waiting.get(resend.name);
    if (same === undefined) return this.begin(resend, place);
    same.batchSize = Math.min(same.batchSize, resend.batchSize);
    return same.sent;
  }

  private begin({ name, batchSize, send }: Resend, place: Place): Promise<number> {
    place.runs += 1;
    const sent = place.turns.take(() => {
      const smallest = place.waiting.get(name)?.batchSize ?? batchSize;
      place.waiting.delete(name);
      return send(smallest);
    });
    place.waiting.set(name, { batchSize, sent });
    return sent.finally(() => {
      place.runs -= 1;
      if (place.runs === 0) this.places.delete(place.receiver);
    });
  }

  /** @throws ManagerError */
  private placeOf(url: string): Place {
    const receiver = this.receiverOf(url);
    const known = this.places.get(receiver);
    if (known !== undefined) return known;
    const { most = MOST, strangers = STRANGERS } = this.options;
    const isConfigured = this.options.isConfigured(url);
    const others = [...this.places.values()].filter((one) => !one.isConfigured).length;
    if (this.places.size >= most || (!isConfigured && others >= strangers))
      throw new ManagerError('unavailable', 'payloads are being resent already; try again when that is done');
    const place = { receiver, isConfigured, turns: new Turns(), waiting: new Map(), runs: 0 };
    this.places.set(receiver, place);
    return place;
  }

  /** Processes of this host are the operator's, and each of them is one. */
  private receiverOf(url: string): string {
    if (this.options.isConfigured(url)) return url;
    const { hostname, host } = new URL(url);
    const address = hostname.replace(/^\[(.*)\]$/, '$1');
    return isSameHost(address, '127.0.0.1') ? host : hostKey(address);
  }
}
