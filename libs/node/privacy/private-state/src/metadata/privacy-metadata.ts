import type { Address } from '@tetrad/types';
import type { PayloadHash } from '../payload/payload-hash.js';
import type { PrivacyFlag } from '../payload/payload-source.js';

/** Metadata of a contract that was created by a transaction with a flag other than 0. */
export interface PrivacyMetadata {
  readonly creation: PayloadHash;
  readonly privacyFlag: Exclude<PrivacyFlag, 0>;
}

export interface MetadataSource {
  /** Contracts without metadata are left out. */
  find(addresses: readonly Address[]): Promise<ReadonlyMap<Address, PrivacyMetadata>>;
}

/** Metadata of contracts after the previous block, with those that this block creates. */
export class PendingMetadata implements MetadataSource {
  readonly created = new Map<Address, PrivacyMetadata>();

  constructor(private readonly stored: MetadataSource) {}

  async find(addresses: readonly Address[]): Promise<ReadonlyMap<Address, PrivacyMetadata>> {
    const unknown = addresses.filter((address) => !this.created.has(address));
    const found = new Map(unknown.length === 0 ? [] : await this.stored.find(unknown));
    for (const address of addresses) {
      const created = this.created.get(address);
      if (created !== undefined) found.set(address, created);
    }
    return found;
  }

  add(addresses: readonly Address[], metadata: PrivacyMetadata): void {
    for (const address of addresses) this.created.set(address, metadata);
  }
}
