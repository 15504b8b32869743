import type { PtmKey } from '@tetrad/types';
import type { Completeness } from '../completeness/completeness.js';
import { keyToBytes } from '../keys/key-pair.js';
import { ManagerError } from '../manager-error.js';
import { toBase64 } from '../payload/base64.js';
import { decodeBinaryPayload, encodeBinaryPayload } from '../payload/binary-payload.js';
import { PrivacyFlag, type EncodedPayload } from '../payload/encoded-payload.js';
import { copyForRecipient } from '../payload/recipient-copy.js';
import type { PayloadStore } from '../store/payload-store.js';
import { findParty, pushTo, type DeliveryParts } from './deliver.js';

export interface ResendParts extends DeliveryParts {
  readonly store: PayloadStore;
  readonly completeness: Pick<Completeness, 'doubt'>;
}

/** Resends of everything at a time, each of which reads the whole store and sends it. */
const MAX_RESENDS = 2;
/** Most payloads that are read, or sent together, at a time. */
const MAX_BATCH = 100;
/** A manager that recovers opens and stores each payload of a batch before it answers, on a host that may be busy. */
const BATCH_TIMEOUT_MS = 120_000;
/** Bytes of payloads that are sent together, unless one is larger. */
const MAX_BATCH_BYTES = 4 * 1_048_576;

/** Resends payloads to managers that lost theirs; only to the announced URL of a key, whatever the request says. */
export class Resender {
  private readonly underWay = new Set<PtmKey>();

  constructor(private readonly parts: ResendParts) {}

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
  all(key: PtmKey): Promise<void> {
    return this.alone(key, async () => {
      const party = findParty(key, PrivacyFlag.Standard, this.parts.parties);
      for await (const copies of this.copiesOf(key, MAX_BATCH)) {
        const plain = copies.filter(({ privacyFlag }) => privacyFlag === PrivacyFlag.Standard);
        for (const copy of plain) await pushTo(party, copy, this.parts.peers);
      }
    });
  }

  /**
   * Pushes every payload of the key, so many at a time.
   * @returns how many there were
   * @throws ManagerError
   */
  inBatches(key: PtmKey, batchSize: number): Promise<number> {
    return this.alone(key, async () => {
      const { url } = findParty(key, PrivacyFlag.Standard, this.parts.parties);
      let total = 0;
      for await (const copies of this.copiesOf(key, Math.min(batchSize, MAX_BATCH))) {
        for (const batch of batches(copies.map(encodeBinaryPayload), batchSize)) await this.push(url, batch);
        total += copies.length;
      }
      return total;
    });
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

  private async *copiesOf(key: PtmKey, limit: number): AsyncGenerator<EncodedPayload[]> {
    let after = 0;
    for (;;) {
      const rows = await this.parts.store.page(keyToBytes(key), after, limit);
      const last = rows.at(-1);
      if (last === undefined) return;
      yield rows.flatMap(({ encoded }) => copiesFor(decodeBinaryPayload(encoded), key));
      after = last.sequence;
    }
  }

  private async alone<T>(key: PtmKey, work: () => Promise<T>): Promise<T> {
    if (this.underWay.has(key) || this.underWay.size >= MAX_RESENDS)
      throw new ManagerError('unavailable', 'payloads are being resent already; try again when that is done');
    this.underWay.add(key);
    try {
      return await work();
    } finally {
      this.underWay.delete(key);
    }
  }
}

/** A recipient gets its own box; the sender gets what its recipients have, each box by itself. */
function copiesFor(payload: EncodedPayload, key: PtmKey): EncodedPayload[] {
  const boxed = payload.recipientKeys.slice(0, payload.recipientBoxes.length);
  if (boxed.includes(key)) return [copyForRecipient(payload, key)];
  return payload.sender === key ? boxed.map((recipient) => copyForRecipient(payload, recipient)) : [];
}

function batches(encoded: readonly Uint8Array[], size: number): Uint8Array[][] {
  const all: Uint8Array[][] = [];
  let [last, bytes]: [Uint8Array[], number] = [[], 0];
  for (const one of encoded) {
    if (last.length > 0 && (last.length >= size || bytes + one.length > MAX_BATCH_BYTES))
      [last, bytes] = [[], 0];
    if (last.length === 0) all.push(last);
    last.push(one);
    bytes += one.length;
  }
  return all;
}
