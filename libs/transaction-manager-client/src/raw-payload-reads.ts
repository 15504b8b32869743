import type { PrivatePayload } from './answers.js';
import type { ManagerRequests } from './manager-requests.js';
import type { Found } from './outcome.js';
import { PayloadLookups } from './payload-lookups.js';
import type { PayloadRequests } from './payload-requests.js';
import { RawPayloadFeed } from './raw-payload-feed.js';

/**
 * Reads payloads of `storeRaw` by what costs least: one that the manager handed over already, a request of its own, or a lookup together
 * with others.
 */
export class RawPayloadReads {
  private readonly lookups = new PayloadLookups((hashes) => this.payloads.lookUp('/payloads/raw', hashes));
  private readonly feed = new RawPayloadFeed(
    (after) => this.payloads.newRaws(after),
    () => this.isBusy(),
  );
  /** Whether a payload is asked for by itself. */
  private isReading = false;

  /** @param isBusy - whether many payloads are sent at the same time */
  constructor(
    private readonly requests: Pick<ManagerRequests, 'features'>,
    private readonly payloads: PayloadRequests,
    private readonly isBusy: () => boolean,
  ) {}

  /** A call by itself does not join a lookup: a group of one costs more. */
  async find(hash: Uint8Array, signal?: AbortSignal): Promise<Found<PrivatePayload>> {
    const features = await this.requests.features(signal);
    if (features.kind !== 'done' || !features.value.joinedRawLookups) return this.payloads.raw(hash, signal);
    const given = features.value.rawFeed ? this.feed.take(hash) : undefined;
    if (given !== undefined) return { kind: 'found', value: given };
    if (this.isReading || this.isBusy())
      return (await this.lookups.find(hash)) ?? this.payloads.raw(hash, signal);
    this.isReading = true;
    try {
      return await this.payloads.raw(hash, signal);
    } finally {
      this.isReading = false;
    }
  }

  /** Ends the feed. */
  close(): void {
    this.feed.close();
  }
}
