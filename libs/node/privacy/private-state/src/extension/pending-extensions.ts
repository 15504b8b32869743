import type { ExtensionChanges, PrivateStateStore } from '@tetrad/node-store';
import type { Address } from '@tetrad/types';

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

/** Pending extensions. */
export interface ExtensionSource {
  /** The contract that the management contract named at its creation; undefined without a pending extension. */
  findContract(management: Address): Promise<Address | undefined>;
}

/** Extensions after the previous block, with the changes by transactions of this block so far. */
export class PendingExtensions implements ExtensionSource {
  /** Management contract → contract that is extended, undefined once that is over. */
  private readonly changed = new Map<Address, Address | undefined>();

  constructor(private readonly stored: ExtensionSource) {}

  async findContract(management: Address): Promise<Address | undefined> {
    if (this.changed.has(management)) return this.changed.get(management);
    return this.stored.findContract(management);
  }

  note({ started, finished }: Pick<ExtensionChanges, 'started' | 'finished'>): void {
    for (const { management, contract } of started) {
      if (!this.changed.has(management)) this.changed.set(management, contract);
    }
    for (const management of finished) this.changed.set(management, undefined);
  }
}
