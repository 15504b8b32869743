import type { PrivateStateStore } from '@tetrad/node-store';
import type { Address } from '@tetrad/types';
import type { ExtensionSource } from '../extension/pending-extensions.js';

/** Extensions as they were after a block. */
export class StoredExtensions implements ExtensionSource {
  constructor(
    private readonly store: Pick<PrivateStateStore, 'findExtendedContract'>,
    private readonly blockNumber: number,
  ) {}

  findContract(management: Address): Promise<Address | undefined> {
    return this.store.findExtendedContract(management, this.blockNumber);
  }
}
