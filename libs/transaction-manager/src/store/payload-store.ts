import { CommitGroup, LookupGroup, asBuffer, type Database } from '@tetrad/db';
import { clientBytes } from '@tetrad/db/client';
import { findPayloads, type FoundPayload } from './hot/find-payloads.js';
import { insertPayloads } from './hot/insert-payloads.js';
import { lockPayload } from './hot/lock-payload.js';
import { pagePayloads, type PagedPayload } from './hot/page-payloads.js';
import { findPayloadSizes, type PayloadSize } from './hot/payload-sizes.js';
import { settlePayloads } from './hot/settle-payloads.js';
import { updatePayload } from './hot/update-payload.js';
import { withdrawPayload } from './hot/withdraw-payload.js';
import type { ManagerClient } from './manager-client.js';
import type { StoredPayload } from './stored-payload.js';

/** Bytes of payloads that one statement writes, unless one payload is larger. */
const GROUP_BYTES = 16 * 1_048_576;

/** Statements of each kind of look-up at a time. */
const READS = 2;

/** Rows of payloads. */
export class PayloadStore {
  private readonly additions: CommitGroup<StoredPayload, boolean>;
  private readonly lookups: LookupGroup<FoundPayload>;
  /** Apart from the others, so that a look-up of one payload does not wait for the bytes of many. */
  private readonly together: LookupGroup<FoundPayload>;
  private readonly sizes: LookupGroup<PayloadSize>;

  constructor(
    private readonly database: Database,
    private readonly client: ManagerClient['client'],
  ) {
    this.additions = new CommitGroup((payloads) => insertAll(database, payloads), {
      bytes: { of: ({ encoded }) => encoded.length, group: GROUP_BYTES },
    });
    const read = (hashes: readonly Buffer[]) => findPayloads(database, hashes);
    this.lookups = lookupsBy(read);
    this.together = lookupsBy(read);
    this.sizes = lookupsBy((hashes) => findPayloadSizes(database, hashes));
  }

  /**
   * Stores the payload unless there is one of its hash.
   * @returns whether it was stored, durably
   */
  add(payload: StoredPayload): Promise<boolean> {
    return this.additions.add(payload);
  }

  /** The encoding; undefined when the payload is not stored. */
  async find(hash: Uint8Array): Promise<Uint8Array | undefined> {
    return (await this.lookups.find(hash))?.encoded;
  }

  /**
   * Encodings, in the order of the hashes. The caller bounds their bytes, by `sizeOf`, and those of all its calls at a time.
   * @returns undefined in place of what is not stored
   */
  async findTogether(hashes: readonly Uint8Array[]): Promise<(Uint8Array | undefined)[]> {
    const found = await Promise.all(hashes.map((hash) => this.together.find(hash)));
    return found.map((row) => row?.encoded);
  }

  /** Bytes of the encoding, which is not read; undefined when the payload is not stored. */
  async sizeOf(hash: Uint8Array): Promise<number | undefined> {
    return (await this.sizes.find(hash))?.bytes;
  }

  /** Whether the payload is stored, which takes no reading of it. */
  async has(hash: Uint8Array): Promise<boolean> {
    return (await this.sizeOf(hash)) !== undefined;
  }

  /**
   * Changes a stored payload under a row lock.
   * @param change - returns the new one, or undefined to keep the stored one
   * @returns whether the payload is stored
   */
  change(hash: Uint8Array, change: (encoded: Uint8Array) => StoredPayload | undefined): Promise<boolean> {
    return this.database.transaction(async (statements) => {
      const encoded = await lockPayload(statements, hash);
      if (encoded === undefined) return false;
      const changed = change(encoded);
      if (changed !== undefined) await updatePayload(statements, changed);
      return true;
    });
  }

  /**
   * Forgets the payload.
   * @returns whether there was one
   */
  async delete(hash: Uint8Array): Promise<boolean> {
    return (await this.client.payload.deleteMany({ where: { hash: clientBytes(hash) } })).count === 1;
  }

  /** Notes that all recipients have the payloads. The host of the database may forget it when it fails. */
  settle(hashes: readonly Uint8Array[]): Promise<void> {
    return settlePayloads(this.database, hashes);
  }

  /** Forgets a payload that was not delivered; one that was settled meanwhile stays. */
  withdraw(hash: Uint8Array): Promise<void> {
    return withdrawPayload(this.database, hash);
  }

  /** Hashes of payloads of which it is not known that all recipients have them. */
  async undelivered(): Promise<Uint8Array[]> {
    return (await this.client.undeliveredPayload.findMany()).map(({ hash }) => hash);
  }

  /** Whether the payload is one of those. */
  async isUndelivered(hash: Uint8Array): Promise<boolean> {
    const where = { hash: clientBytes(hash) };
    return (await this.client.undeliveredPayload.findUnique({ where })) !== null;
  }

  /** Whether there is any. */
  async hasAny(): Promise<boolean> {
    return (await this.client.payload.findFirst({ select: { hash: true } })) !== null;
  }

  /**
   * Payloads that the key sent or has a box of, in the order they came; fewer than asked for where they are large.
   * @param after - sequence of the last one that was read
   * @returns nothing when there are no more
   */
  page(key: Uint8Array, after: number, limit: number): Promise<readonly PagedPayload[]> {
    return pagePayloads(this.database, key, { after, limit });
  }
}

function lookupsBy<Row extends { readonly hash: Uint8Array }>(
  read: (hashes: readonly Buffer[]) => Promise<readonly Row[]>,
): LookupGroup<Row> {
  return new LookupGroup({ statements: READS, start: setImmediate, read, keyOf: ({ hash }) => hash });
}

async function insertAll(database: Database, payloads: readonly StoredPayload[]): Promise<boolean[]> {
  // Of several with one hash the first is stored, as it would be had they come one by one.
  const first = new Map<string, StoredPayload>();
  for (const one of payloads) if (!first.has(nameOf(one.hash))) first.set(nameOf(one.hash), one);
  const stored = new Set((await insertPayloads(database, [...first.values()])).map(nameOf));
  return payloads.map((one) => first.get(nameOf(one.hash)) === one && stored.has(nameOf(one.hash)));
}

function nameOf(hash: Uint8Array): string {
  return asBuffer(hash).toString('latin1');
}
