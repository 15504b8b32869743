import { Gate, type PtmKey } from '@tetrad/types';
import type { Completeness } from '../completeness/completeness.js';
import { keyToBytes } from '../keys/key-pair.js';
import { ManagerError } from '../manager-error.js';
import type { Party } from '../party/party-table.js';
import { toBase64 } from '../payload/base64.js';
import { decodeBinaryPayload, encodeBinaryPayload } from '../payload/binary-payload.js';
import { PrivacyFlag, type EncodedPayload } from '../payload/encoded-payload.js';
import { copyForRecipient } from '../payload/recipient-copy.js';
import type { PagedPayload } from '../store/hot/page-payloads.js';
import type { PayloadStore } from '../store/payload-store.js';
import { findParty, pushTo, type DeliveryParts } from './deliver.js';
import { ResendPlaces } from './resend-places.js';

export interface ResendParts extends DeliveryParts {
  readonly store: PayloadStore;
  readonly completeness: Pick<Completeness, 'doubt'>;
}

/** Pages that are read at a time for all receivers; the waits for the managers that get them are not counted. */
const MAX_READS = 2;
/** Most payloads that are read, or sent together, at a time. */
const MAX_BATCH = 100;
/** A manager that recovers opens and stores each payload of a batch before it answers, on a host that may be busy. */
const BATCH_TIMEOUT_MS = 120_000;
/** Bytes of payloads that are sent together, unless one is larger. */
const MAX_BATCH_BYTES = 4 * 1_048_576;

/**
 * Resends payloads to managers that lost theirs; only to the announced URL of a key, whatever the request says.
 *
 * Memory: each place holds a page of the store, which is 4 MiB or one payload that is larger, and one batch of copies of its
 * payloads, of the same bound, as bytes and as the base64 of a request: some 60 MiB where payloads are of 10 MiB. The copies of a
 * payload for its sender, which may be a thousand, are made as they are sent.
 */
export class Resender {
  private readonly places: ResendPlaces;
  private readonly reads = new Gate(MAX_READS);

  constructor(private readonly parts: ResendParts) {
    this.places = new ResendPlaces({ isConfigured: (url) => parts.parties.isConfigured(url) });
  }

  /**
   * One payload without privacy flags, as its recipient or sender gets it.
   * @throws ManagerError 403, 404; 503 in doubt
   */
  async one(hash: Uint8Array, key: PtmKey): Promise<Uint8Array> {
    const encoded = await this.parts.store.find(hash);
    const payload = encoded === undefined ? undefined : decodeBinaryPayload(encoded);
    if (payload !== undefined && payload.privacyFlag !== PrivacyFlag.Standard)
      throw new ManagerError('forbidden', 'Cannot resend enhanced privacy transaction in legacy resend');
    const [copy] = payload === undefined ? [] : copiesFor(payload, key);
    if (copy === undefined) throw this.absence(hash);
    return encodeBinaryPayload(copy);
  }

  /**
   * Pushes every payload of the key without privacy flags, one after another.
   * @throws ManagerError
   */
  async all(key: PtmKey): Promise<void> {
    const send = () => this.sendAll(key);
    await this.places.run({ name: `all ${key}`, url: this.find(key).url, batchSize: 1, send });
  }

  /**
   * Pushes every payload of the key, so many at a time, or fewer where another request wants fewer.
   * @returns how many there were
   * @throws ManagerError
   */
  async inBatches(key: PtmKey, batchSize: number): Promise<number> {
    const send = (size: number) => this.sendInBatches(key, size);
    return this.places.run({ name: `batches ${key}`, url: this.find(key).url, batchSize, send });
  }

  private async sendAll(key: PtmKey): Promise<number> {
    // Where it is by now.
    const party = this.find(key);
    let total = 0;
    for await (const copies of this.copiesOf(key, MAX_BATCH))
      for (const copy of copies) {
        if (copy.privacyFlag !== PrivacyFlag.Standard) continue;
        await pushTo(party, copy, this.parts.peers);
        total += 1;
      }
    return total;
  }

  private async sendInBatches(key: PtmKey, batchSize: number): Promise<number> {
    const { url } = this.find(key);
    let total = 0;
    for await (const copies of this.copiesOf(key, Math.min(batchSize, MAX_BATCH)))
      for (const batch of batches(copies, batchSize)) {
        await this.push(url, batch);
        total += batch.length;
      }
    return total;
  }

  private find(key: PtmKey): Party {
    return findParty(key, PrivacyFlag.Standard, this.parts.parties);
  }

  private absence(hash: Uint8Array): ManagerError {
    if (this.parts.completeness.doubt === undefined)
      return new ManagerError('not-found', `Message with hash ${toBase64(hash)} was not found`);
    return new ManagerError('unavailable', `it is not known whether ${toBase64(hash)} was lost here`);
  }

  private async push(url: string, batch: readonly Uint8Array[]): Promise<void> {
    const encodedPayloads = batch.map(toBase64);
    const { status } = await this.parts.peers.postJson(
      url,
      'pushBatch',
      { encodedPayloads },
      BATCH_TIMEOUT_MS,
    );
    if (status !== 200)
      throw new ManagerError('rejected', `Unable to push payload batch to recipient ${url}`);
  }

  /** Page after page of the store. */
  private async *copiesOf(key: PtmKey, limit: number): AsyncGenerator<Iterable<EncodedPayload>> {
    let after = 0;
    for (;;) {
      const rows = await this.reads.take(1, () => this.parts.store.page(keyToBytes(key), after, limit));
      const last = rows.at(-1);
      if (last === undefined) return;
      yield copiesIn(rows, key);
      after = last.sequence;
    }
  }
}

/** One after another: the copies of a page may be many times as large as the page. */
function* copiesIn(rows: readonly PagedPayload[], key: PtmKey): Generator<EncodedPayload> {
  for (const { encoded } of rows) yield* copiesFor(decodeBinaryPayload(encoded), key);
}

/** A recipient gets its own box; the sender gets what its recipients have, each box by itself. */
function* copiesFor(payload: EncodedPayload, key: PtmKey): Generator<EncodedPayload> {
  const boxed = payload.recipientKeys.slice(0, payload.recipientBoxes.length);
  if (boxed.includes(key)) yield copyForRecipient(payload, key);
  else if (payload.sender === key) for (const recipient of boxed) yield copyForRecipient(payload, recipient);
}

/** Encodes copies as they are sent together, each batch once the one before is sent. */
function* batches(copies: Iterable<EncodedPayload>, size: number): Generator<Uint8Array[]> {
  let [batch, bytes]: [Uint8Array[], number] = [[], 0];
  for (const copy of copies) {
    const encoded = encodeBinaryPayload(copy);
    if (batch.length > 0 && (batch.length >= size || bytes + encoded.length > MAX_BATCH_BYTES)) {
      yield batch;
      [batch, bytes] = [[], 0];
    }
    batch.push(encoded);
    bytes += encoded.length;
  }
  if (batch.length > 0) yield batch;
}
