import type { PrivateStateStore } from '@tetrad/node-store';
import type { Address } from '@tetrad/types';
import type { MetadataSource, PrivacyMetadata } from '../metadata/privacy-metadata.js';
import { payloadHash } from '../payload/payload-hash.js';

/** Metadata of contracts as it was after a block. */
export class StoredMetadata implements MetadataSource {
  constructor(
    private readonly store: PrivateStateStore,
    private readonly blockNumber: number,
  ) {}

  async find(addresses: readonly Address[]): Promise<ReadonlyMap<Address, PrivacyMetadata>> {
    const rows = await this.store.findContracts(addresses, this.blockNumber);
    return new Map(
      rows.map(({ address, creation, privacyFlag }) => [
        address,
        { creation: payloadHash(creation), privacyFlag: privacyFlag as PrivacyMetadata['privacyFlag'] },
      ]),
    );
  }
}
