import type { PrivateStateStore } from '@tetrad/node-store';
import type { Address } from '@tetrad/types';
import type { MetadataSource, PrivacyMetadata } from '../metadata/privacy-metadata.js';
import { payloadHash } from '../payload/payload-hash.js';

/** Maximum number of addresses whose metadata is remembered. */
const MAX_KNOWN = 4_096;

/**
 * Metadata of contracts as it was after a block. It does not change any more, so that each address is read once: the
 * transactions of a block mostly call the same few contracts.
 */
export class StoredMetadata implements MetadataSource {
  /** Undefined for an address without metadata. */
  private readonly known = new Map<Address, Promise<PrivacyMetadata | undefined>>();

  constructor(
    private readonly store: Pick<PrivateStateStore, 'findContracts'>,
    readonly blockNumber: number,
  ) {}

  async find(addresses: readonly Address[]): Promise<ReadonlyMap<Address, PrivacyMetadata>> {
    const asked = addresses.map((address) => ({ address, known: this.known.get(address) }));
    const unknown = asked.flatMap(({ address, known }) => (known === undefined ? [address] : []));
    const rows = unknown.length === 0 ? undefined : this.read(unknown);
    // All at once, so that each failure has a listener.
    const found = await Promise.all(
      asked.map(async ({ address, known }) => {
        const metadata = known === undefined ? (await rows)?.get(address) : await known;
        return metadata === undefined ? [] : [[address, metadata] as const];
      }),
    );
    return new Map(found.flat());
  }

  private read(addresses: readonly Address[]): Promise<ReadonlyMap<Address, PrivacyMetadata>> {
    const rows = this.readRows(addresses);
    const remembered = addresses.slice(0, MAX_KNOWN - this.known.size);
    for (const address of remembered) {
      const one = rows.then((read) => read.get(address));
      this.known.set(address, one);
      // The caller that reads gets the error; the next one reads again.
      one.catch(() => this.known.delete(address));
    }
    return rows;
  }

  private async readRows(addresses: readonly Address[]): Promise<ReadonlyMap<Address, PrivacyMetadata>> {
    const rows = await this.store.findContracts(addresses, this.blockNumber);
    return new Map(
      rows.map(({ address, creation, privacyFlag }) => [
        address,
        { creation: payloadHash(creation), privacyFlag: privacyFlag as PrivacyMetadata['privacyFlag'] },
      ]),
    );
  }
}
