import {
  readLookedUp,
  readNewRaws,
  readPayload,
  type LookedUp,
  type NewRawPayloads,
  type PrivatePayload,
} from './answers.js';
import type { ManagerAnswer } from './connection.js';
import type { ManagerRequests } from './manager-requests.js';
import { unknown, type Found, type Outcome } from './outcome.js';
import { JSON_HEADERS, JSON_TYPE, V2_1, base64, lookupBody } from './requests.js';

/** Requests about payloads that the manager has. */
export class PayloadRequests {
  constructor(private readonly requests: ManagerRequests) {}

  /**
   * Asks about the payload of a hash.
   * @param rest - of the path, after the hash
   */
  async get<T>(
    hash: Uint8Array,
    rest: string,
    read: (answer: ManagerAnswer) => T,
    signal: AbortSignal | undefined,
  ): Promise<Found<T>> {
    const isText = rest.startsWith('/');
    const accept = isText ? 'text/plain' : await this.receiveType(signal);
    if (typeof accept !== 'string') return accept;
    const name = base64(hash);
    const path = `/transaction/${encodeURIComponent(name)}${rest}`;
    const outcome = await this.requests.ask({ method: 'GET', path, headers: { accept }, signal }, read);
    if (outcome.kind === 'done') return { kind: 'found', value: outcome.value };
    if (outcome.kind === 'unknown') return outcome;
    // The 404 of a proxy or another server does not name the hash, except that some repeat the path.
    const namesHash = outcome.text.includes(name) && !outcome.text.includes(`/transaction/${name}`);
    if (outcome.status === 404 && namesHash) return { kind: 'not-found' };
    return unknown(`${outcome.status} status: ${outcome.text}`);
  }

  /** The payload of `storeRaw`. */
  raw(hash: Uint8Array, signal?: AbortSignal): Promise<Found<PrivatePayload>> {
    return this.get(hash, '?isRaw=true', ({ body }) => readPayload(body), signal);
  }

  /** Several payloads, or payloads of `storeRaw`, in one request. */
  lookUp(
    path: '/payloads' | '/payloads/raw',
    hashes: readonly Uint8Array[],
  ): Promise<Outcome<readonly LookedUp[]>> {
    const request = { method: 'POST', path, headers: JSON_HEADERS, body: lookupBody(hashes) } as const;
    return this.requests.ask(request, ({ body }) => readLookedUp(body));
  }

  /** Payloads of `storeRaw` that came after a place. Not counted among the requests, as it waits at the manager on purpose. */
  newRaws(after: number | undefined): Promise<Outcome<NewRawPayloads>> {
    const body = JSON.stringify(after === undefined ? {} : { after });
    const request = { method: 'POST', path: '/payloads/raw/new', headers: JSON_HEADERS, body } as const;
    return this.requests.askUncounted(request, (answer) => readNewRaws(answer.body));
  }

  private async receiveType(signal: AbortSignal | undefined) {
    const features = await this.requests.features(signal);
    if (features.kind === 'done') return features.value.versionedTypes ? V2_1 : JSON_TYPE;
    return features.kind === 'unknown' ? features : unknown(`${features.status} status: ${features.text}`);
  }
}
